import { foldText } from './normalize-text.ts';

/** The keywords as they were given, the first of those that are compared alike. */
export function distinctKeywords(keywords: readonly string[]): string[] {
  const byFolded = new Map<string, string>();
  for (const keyword of keywords) {
    const folded = foldText(keyword);
    if (!byFolded.has(folded)) byFolded.set(folded, keyword);
  }
  return [...byFolded.values()];
}
