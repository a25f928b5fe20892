/** Returns true if a text has something that the search of posts looks for: a letter or a digit. The service refuses others. */
export const canBeSearched = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
