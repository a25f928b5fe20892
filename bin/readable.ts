/** Control characters, and invisible characters that change how others are shown. */
export const controlCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Makes a text safe to print: customers and platforms choose some of the words, and control characters in them could forge
 * lines, or steer the terminal. Pure.
 */
export const readable = (text: string): string => text.replaceAll(controlCharacters, '�');
