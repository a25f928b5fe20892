import { type Account, handleOf, nameOf } from '../../accounts/account.ts';
import type { Automation } from './titles.ts';
import type { LivePost } from './use-automations.ts';

/** An automation with what other lists know about it. */
export interface Row {
  readonly automation: Automation;
  readonly title: string;
  /** Absent if it is old, or if Herald did not publish it. */
  readonly live: LivePost | undefined;
  /** Absent if it is disconnected, or not read yet. */
  readonly account: Account | undefined;
  readonly areAccountsRead: boolean;
}

export type State = 'active' | 'paused';
export const isState = (text: string): text is State => text === 'active' || text === 'paused';

export interface Wanted {
  readonly text: string;
  /** Empty for any. */
  readonly account: string;
  readonly state: State | undefined;
}

/** The rows that have all words of the text, in name, account, keywords, answers or post. */
export function filterRows(rows: readonly Row[], { text, account, state }: Wanted): readonly Row[] {
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const { automation } = row;
    if (account !== '' && automation.accountId !== account) return false;
    if (state !== undefined && automation.isActive !== (state === 'active')) return false;
    if (words.length === 0) return true;
    const found = searchable(row);
    return words.every((word) => found.includes(word));
  });
}

function searchable({ automation, title, live, account }: Row): string {
  const { keywords, commentReply, dmMessage, platformPostId, buttons } = automation;
  return [
    title,
    account && nameOf(account),
    account && handleOf(account),
    live?.post.content,
    platformPostId,
    commentReply,
    dmMessage,
    ...keywords,
    ...buttons.map(({ url }) => url),
  ]
    .filter(Boolean)
    .join('\n')
    .toLocaleLowerCase();
}

/** Why an automation does nothing, or not all, although it is active. */
export type Obstacle = 'disconnected' | 'expired' | 'error' | 'noComments' | 'noMessages';

export function obstacleOf({
  automation: { dmMessage },
  account,
  areAccountsRead,
}: Pick<Row, 'account' | 'areAccountsRead'> & {
  readonly automation: Pick<Automation, 'dmMessage'>;
}): Obstacle | undefined {
  if (account === undefined) return areAccountsRead ? 'disconnected' : undefined;
  if (account.status !== 'ok') return account.status;
  if (!account.capabilities.includes('comments')) return 'noComments';
  return dmMessage !== null && !account.capabilities.includes('messages') ? 'noMessages' : undefined;
}
