import type { listAutomationsOperation, readAutomationOperation } from '../../../automations/operations.ts';
import { type Account, handleOf, nameOf } from '../../accounts/account.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { excerptOf, type ListedPost } from '../../posts/post.ts';
import { locale, words } from '../../words/words.ts';
import type { LivePost } from './use-automations.ts';

export type Automation = ReplyOf<typeof listAutomationsOperation>['automations'][number];

/** The fields that name an automation. */
type Named = Pick<Automation, 'name' | 'platformPostId'> & Partial<Pick<Automation, 'appliesTo'>>;

/** Its name, or what its post begins with, or the post's id at the platform, or which posts it answers. */
export function titleOf(
  { name, platformPostId, appliesTo = 'post' }: Named,
  post?: Pick<ListedPost, 'content'>,
): string {
  const text = clean(name ?? '') || clean((post && excerptOf(post, 60)) ?? '');
  if (text !== '') return text;
  return platformPostId === null
    ? words.automationsPage.posts[appliesTo].nameless
    : words.automationsPage.nameless(platformPostId);
}

/** True if messages of people start the automation, and comments do not. */
export const isStartedByMessages = ({ appliesTo }: Pick<Automation, 'appliesTo'>): boolean =>
  appliesTo === 'story_replies' || appliesTo === 'direct_messages';

/** Says what an automation without keywords answers. */
export const everyText = (automation: Pick<Automation, 'appliesTo'>): string =>
  isStartedByMessages(automation) ? words.automationsPage.everyMessage : words.automationsPage.everyComment;

/** Removes characters that turn the direction of the text around it, or break its line. */
const clean = (text: string): string => text.replace(harmful, ' ').trim();
const harmful = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** The first keywords, and how many more there are. */
export function keywordSummary(
  keywords: readonly string[],
  most = 3,
): { readonly shown: readonly string[]; readonly more: number } {
  // One more takes no more space than the words that say so.
  const shown = keywords.length === most + 1 ? keywords : keywords.slice(0, most);
  return { shown, more: keywords.length - shown.length };
}

/** An automation with what other lists know about it. */
export interface AutomationRow {
  readonly automation: Automation;
  readonly title: string;
  /** Absent if it is old, or if Herald did not publish it. */
  readonly live: LivePost | undefined;
  /** Absent if it is disconnected, or not read yet. */
  readonly account: Account | undefined;
  readonly areAccountsRead: boolean;
}

type State = 'active' | 'paused';
export const isState = (text: string): text is State => text === 'active' || text === 'paused';

interface Wanted {
  readonly text: string;
  /** Empty for any. */
  readonly account: string;
  readonly state: State | undefined;
}

/** The rows that have all words of the text, in name, account, keywords, answers or post. */
export function filterRows(
  rows: readonly AutomationRow[],
  { text, account, state }: Wanted,
): readonly AutomationRow[] {
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

function searchable({ automation, title, live, account }: AutomationRow): string {
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

/** The reason why an active automation does nothing, or not all. */
export type Obstacle = 'disconnected' | 'expired' | 'error' | 'noComments' | 'noMessages';

export function obstacleOf({
  automation,
  account,
  areAccountsRead,
}: Pick<AutomationRow, 'account' | 'areAccountsRead'> & {
  readonly automation: Pick<Automation, 'appliesTo' | 'dmMessage'>;
}): Obstacle | undefined {
  if (account === undefined) return areAccountsRead ? 'disconnected' : undefined;
  if (account.status !== 'ok') return account.status;
  if (!isStartedByMessages(automation) && !account.capabilities.includes('comments')) return 'noComments';
  return automation.dmMessage !== null && !account.capabilities.includes('messages')
    ? 'noMessages'
    : undefined;
}

export type AutomationDetail = ReplyOf<typeof readAutomationOperation>['automation'];

interface Stage {
  readonly id: 'matched' | 'replied' | 'messaged' | 'clicks';
  readonly title: string;
  readonly text: string;
  readonly value: number;
  /** The share of the greatest of the four, from 0 to 1. */
  readonly share: number;
  /** A comparison with the stages before; absent if that says nothing. */
  readonly note?: string | undefined;
  /** `false` if the automation does not do this. It may have done so before it was changed. */
  readonly isUsed: boolean;
}

const texts = words.automationsPage.funnel;
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });

/** Returns the stages of the comments: from those that matched to clicks. */
export function stagesOf(
  automation: Pick<
    AutomationDetail,
    'appliesTo' | 'counts' | 'keywords' | 'commentReply' | 'dmMessage' | 'followGate'
  >,
): readonly Stage[] {
  const { counts, keywords, commentReply, dmMessage, followGate } = automation;
  const [some, all] = isStartedByMessages(automation)
    ? [texts.messagesText, texts.messagesAllText]
    : [texts.matchedText, texts.matchedAllText];
  const { matched, replied, messaged, clicks } = counts;
  const greatest = Math.max(1, matched, replied, messaged, clicks);
  const ofMatched = (value: number) =>
    matched > 0 && value <= matched ? texts.share(percent.format(value / matched)) : undefined;
  const stages: readonly Omit<Stage, 'share'>[] = [
    {
      id: 'matched',
      title: texts.matched,
      text: keywords.length === 0 ? all : some,
      value: matched,
      isUsed: true,
    },
    {
      id: 'replied',
      title: texts.replied,
      text: texts.repliedText,
      value: replied,
      note: ofMatched(replied),
      isUsed: commentReply !== null,
    },
    {
      id: 'messaged',
      title: texts.messaged,
      text: followGate === null ? texts.messagedText : texts.messagedGateText,
      value: messaged,
      // With a gate, a person gets up to several.
      note: followGate === null ? ofMatched(messaged) : undefined,
      isUsed: dmMessage !== null,
    },
    {
      id: 'clicks',
      title: texts.clicks,
      text: texts.clicksText,
      value: clicks,
      note: messaged > 0 ? texts.perMessage(decimal.format(clicks / messaged)) : undefined,
      isUsed: dmMessage !== null,
    },
  ];
  return stages.map((stage) => ({ ...stage, share: stage.value / greatest }));
}
