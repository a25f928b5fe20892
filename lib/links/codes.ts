/** 62^12 codes: nobody finds one by trying. */
export const codeLength = 12;

/** Older or newer lengths stay readable; nothing else is ever looked up. */
const codePattern = /^[0-9A-Za-z]{10,32}$/;

/** Whether a text can be the code of a link at all. */
export function isCode(text: string): boolean {
  return codePattern.test(text);
}

/** @param publicBaseUrl where people reach the API, without a final slash */
export function linkAddress(publicBaseUrl: string, code: string): string {
  return `${publicBaseUrl}/r/${code}`;
}
