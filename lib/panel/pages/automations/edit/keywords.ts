import { automationLimits } from '../../../../automations/limits.ts';
import { normalizeText } from '../../../../automations/matching/normalize-text.ts';
import { words } from '../../../words/words.ts';

const texts = words.automationsPage.form.matching;

/** Keywords after some were added, and what was wrong with those that were not. */
export interface Added {
  readonly keywords: readonly string[];
  /** What stays in the field, to be corrected. */
  readonly rest: string;
  readonly problem: string | undefined;
}

/** Adds what somebody has typed or pasted: keywords with commas or line breaks between them. */
export function addKeywords(keywords: readonly string[], typed: string): Added {
  const added = [...keywords];
  const rest: string[] = [];
  let problem: string | undefined;
  const taken = new Set(keywords.map(normalizeText));
  for (const word of typed.split(/[,\n]/).map((each) => each.trim())) {
    if (word === '') continue;
    const normalized = normalizeText(word);
    const most = automationLimits.keywordCharacters;
    if (taken.has(normalized)) {
      problem ??= texts.same(word);
      continue;
    }
    const wrong =
      normalized === ''
        ? texts.invisible
        : Math.max(word.length, normalized.length) > most
          ? texts.tooLong(most)
          : added.length >= automationLimits.keywords
            ? texts.tooMany(automationLimits.keywords)
            : undefined;
    if (wrong === undefined) {
      taken.add(normalized);
      added.push(word);
    } else {
      problem ??= wrong;
      rest.push(word);
    }
  }
  return { keywords: added, rest: rest.join(', '), problem };
}
