/** 62^12 possible codes, too many to guess one. */
export const codeLength = 12;

/** Also accepts other code lengths, past or future. Anything else is not looked up. */
const codePattern = /^[0-9A-Za-z]{10,32}$/;

/** Whether a text has the form of a link's code. */
export function isCode(text: string): boolean {
  return codePattern.test(text);
}

/** @param publicBaseUrl the public URL of the API, without a final slash */
export function linkAddress(publicBaseUrl: string, code: string): string {
  return `${publicBaseUrl}/r/${code}`;
}
