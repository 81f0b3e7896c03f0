/**
 * The policy of the extension's workers. The manifest's policy also covers pages, and lets them reach the companion;
 * the kernel, and the workers that code in it starts, reach the extension's own address only. So the service worker
 * answers for their scripts, with a stricter policy. The kernel checks that it has it (web/kernel/confinement.ts).
 */

// Without 'unsafe-eval', which the browser takes from no extension.
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";
const WORKERS = new Set(["worker", "sharedworker"]);

/** @returns whether it is for the script of a worker */
export function isForWorker({ destination }: Request): boolean {
  return WORKERS.has(destination);
}

/** @param request - for the script of a worker */
export async function confinedScript(request: Request): Promise<Response> {
  const { body, status, statusText, headers } = await fetch(request.url);
  const confined = new Headers(headers);
  confined.set("Content-Security-Policy", POLICY);
  return new Response(body, { status, statusText, headers: confined });
}
