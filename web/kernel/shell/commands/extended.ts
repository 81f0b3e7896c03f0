// Numbers of x87's extended precision, which `printf` of bash calculates with: 64 bits of mantissa, rounded half to even.

/** the number is mantissa / 2 ** shift */
export type Extended = { mantissa: bigint; shift: number };

const BITS = 64;
// Beyond these powers of ten, a number is infinite or zero.
const MOST_POWER = 4932;
const LEAST_POWER = -4950;

const sizeOf = (value: bigint) => value.toString(2).length;

/** The quotient, rounded half to even. */
function rounded(dividend: bigint, divisor: bigint) {
  const [quotient, rest] = [dividend / divisor, (dividend % divisor) * 2n];
  return rest > divisor || (rest === divisor && quotient & 1n) ? quotient + 1n : quotient;
}

function nearest(dividend: bigint, divisor: bigint): Extended {
  if (dividend === 0n) return { mantissa: 0n, shift: 0 };
  let shift = BITS - sizeOf(dividend) + sizeOf(divisor);
  const scaled = () => rounded(dividend << BigInt(Math.max(0, shift)), divisor << BigInt(Math.max(0, -shift)));
  if (sizeOf(scaled()) > BITS) shift--;
  return { mantissa: scaled(), shift };
}

/**
 * Read a decimal or hexadecimal number without a sign, such as `2.5e-3` and `0x1f`.
 * @returns null if it is infinite
 */
export function readExtended(text: string): Extended | null {
  if (/^0[xX]/.test(text)) return nearest(BigInt(text), 1n);
  const [, whole = "", fraction = "", power = "0"] = /^(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const digits = BigInt(whole + fraction || "0");
  const exponent = Number(power) - fraction.length;
  const magnitude = exponent + String(digits).length;
  if (digits === 0n || magnitude < LEAST_POWER) return nearest(0n, 1n);
  if (magnitude > MOST_POWER + 1) return null;
  return exponent < 0 ? nearest(digits, 10n ** BigInt(-exponent)) : nearest(digits * 10n ** BigInt(exponent), 1n);
}

/** The number times a power of ten, as an integer. */
function timesPower({ mantissa, shift }: Extended, power: number) {
  const dividend = (mantissa << BigInt(Math.max(0, -shift))) * 10n ** BigInt(Math.max(0, power));
  return rounded(dividend, (1n << BigInt(Math.max(0, shift))) * 10n ** BigInt(Math.max(0, -power)));
}

/**
 * `%f`.
 * @param digits - behind the point
 */
export function fixed(value: Extended, digits: number) {
  const text = String(timesPower(value, digits)).padStart(digits + 1, "0");
  return digits ? `${text.slice(0, -digits)}.${text.slice(-digits)}` : text;
}

/** The digits and the power of ten of the first. */
function significant(value: Extended, count: number): [string, number] {
  if (value.mantissa === 0n) return ["0".repeat(count), 0];
  // The logarithm is an estimate, which may be one too small or too large.
  let power = Math.floor((sizeOf(value.mantissa) - 1 - value.shift) * Math.LOG10E * Math.LN2);
  for (;;) {
    const text = String(timesPower(value, count - 1 - power));
    if (text.length === count) return [text, power];
    power += text.length > count ? 1 : -1;
  }
}

/**
 * `%e`.
 * @param digits - behind the point
 */
export function exponential(value: Extended, digits: number) {
  const [text, power] = significant(value, digits + 1);
  const exponent = `${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  return `${text.charAt(0)}${digits ? `.${text.slice(1)}` : ""}e${exponent}`;
}

/** `%g`. */
export function general(value: Extended, precision: number, keepsZeros: boolean) {
  const count = precision || 1;
  const [, power] = significant(value, count);
  const text = power < -4 || power >= count ? exponential(value, count - 1) : fixed(value, count - 1 - power);
  return keepsZeros || !text.includes(".") ? text : text.replace(/\.?0+(?=e|$)/, "");
}

/**
 * `%a`: the mantissa begins with its highest four bits.
 * @param precision - digits behind the point; null for all
 */
export function hexadecimal({ mantissa, shift }: Extended, precision: number | null) {
  if (mantissa === 0n) return `0x0${precision ? `.${"0".repeat(precision)}` : ""}p+0`;
  const size = sizeOf(mantissa);
  const digits = (mantissa << BigInt(BITS - size)).toString(16).padStart(BITS / 4, "0");
  let power = size - shift - 4;
  const rounded = precision === null ? digits.replace(/0+$/, "") : roundedDigits(digits, precision + 1);
  if (rounded.length > (precision ?? rounded.length) + 1) power += 4;
  const shown = precision === null ? rounded : rounded.slice(0, precision + 1);
  return `0x${shown.charAt(0)}${shown.length > 1 ? `.${shown.slice(1)}` : ""}p${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}

/**
 * The first digits, rounded; one more where they overflow.
 * @param digits - hexadecimal
 */
function roundedDigits(digits: string, count: number) {
  if (count >= digits.length) return digits.padEnd(count, "0");
  return rounded(BigInt(`0x${digits}`), 1n << BigInt(4 * (digits.length - count))).toString(16);
}
