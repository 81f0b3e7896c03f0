// Text for results and messages.

/** Return a text with single spaces between its words. */
export const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** Return at most so many characters of a text, with a mark where it is cut. */
export const shorten = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
