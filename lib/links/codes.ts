/** The length of a new code. 62^12 are possible, too many to guess one. */
export const codeLength = 12;

/** The form of a code. Includes other lengths, past or future. Other texts are not looked up. */
const codePattern = /^[0-9A-Za-z]{10,32}$/;

/**
 * Returns the code at the beginning of a text. Messengers treat characters that follow a link without a space as part
 * of it, such as a slash, a sign or a word in a script without spaces.
 *
 * @returns `undefined` if the text does not begin with a code, or begins with more letters and digits than a code has
 */
export function leadingCode(text: string): string | undefined {
  const [code] = /^[0-9A-Za-z]+/.exec(text) ?? [];
  return code !== undefined && isCode(code) ? code : undefined;
}

/** Returns true if a text has the form of a link's code. */
export function isCode(text: string): boolean {
  return codePattern.test(text);
}

/** Returns the address of a link. @param linkBaseUrl the public URL of the redirect, without `/r` and a final slash */
export function linkAddress(linkBaseUrl: string, code: string): string {
  return `${linkBaseUrl}/r/${code}`;
}
