/** 62^12 possible codes, too many to guess one. */
export const codeLength = 12;

/** Also accepts other code lengths, past or future. Anything else is not looked up. */
const codePattern = /^[0-9A-Za-z]{10,32}$/;

/**
 * Returns the code with which a text begins. Messengers count what follows a link without a space as part of it, such as a slash,
 * a sign or a word in a script without spaces.
 *
 * @returns `undefined` if the text begins with no code, or if a letter or digit of another length follows
 */
export function leadingCode(text: string): string | undefined {
  const [code] = /^[0-9A-Za-z]+/.exec(text) ?? [];
  return code !== undefined && isCode(code) ? code : undefined;
}

/** Whether a text has the form of a link's code. */
export function isCode(text: string): boolean {
  return codePattern.test(text);
}

/** @param linkBaseUrl the public URL of the redirect, without `/r` and a final slash */
export function linkAddress(linkBaseUrl: string, code: string): string {
  return `${linkBaseUrl}/r/${code}`;
}
