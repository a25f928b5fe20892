import { words } from '../../../words/words.ts';
import type { Entry } from './actors.ts';
import { textsOf } from './verbs.ts';

const texts = words.settingsPage.audit;

/** What an entry says after the actor's name: “created a post”, “tried to delete a post”. */
export function sentenceOf({ verb, outcome, accountIds }: Entry): string {
  const { did, todo } = textsOf(verb);
  if (outcome === 'refused') return texts.triedTo(todo);
  if (outcome === 'begun') return texts.beganTo(todo);
  // An attempt to connect is written when it begins, and again once it has connected something.
  if (verb === 'account.connect')
    return accountIds === undefined ? texts.beganTo(todo) : texts.connected(accountIds.length);
  return did;
}
