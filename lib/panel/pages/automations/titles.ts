import type { listAutomationsOperation } from '../../../automations/operations.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { excerptOf, type ListedPost } from '../../posts/post.ts';
import { words } from '../../words/words.ts';

export type Automation = ReplyOf<typeof listAutomationsOperation>['automations'][number];

/** What names an automation. */
export type Named = Pick<Automation, 'name' | 'platformPostId'>;

/** Its name, or what its post begins with, or the post's id at the platform. */
export function titleOf({ name, platformPostId }: Named, post?: Pick<ListedPost, 'content'>): string {
  const text = clean(name ?? '') || clean((post && excerptOf(post, 60)) ?? '');
  return text || words.automationsPage.nameless(platformPostId);
}

/** Without characters that turn the direction of the text around it, or break its line. */
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
