import type { readAutomationOperation } from '../../../automations/operations.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { locale, words } from '../../words/words.ts';

export type AutomationDetail = ReplyOf<typeof readAutomationOperation>['automation'];

export interface Stage {
  readonly id: 'matched' | 'replied' | 'messaged' | 'clicks';
  readonly title: string;
  readonly text: string;
  readonly value: number;
  /** Of the greatest of the four, from 0 to 1. */
  readonly share: number;
  /** How it compares with the stages before; absent if that says nothing. */
  readonly note?: string | undefined;
  /** `false` if the automation does not do this. It may have done so before it was changed. */
  readonly isUsed: boolean;
}

const texts = words.automationsPage.detail.funnel;
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });

/** What became of the comments: from those that matched to clicks. */
export function stagesOf({
  counts,
  keywords,
  commentReply,
  dmMessage,
  followGate,
}: Pick<
  AutomationDetail,
  'counts' | 'keywords' | 'commentReply' | 'dmMessage' | 'followGate'
>): readonly Stage[] {
  const { matched, replied, messaged, clicks } = counts;
  const greatest = Math.max(1, matched, replied, messaged, clicks);
  const ofMatched = (value: number) =>
    matched > 0 && value <= matched ? texts.share(percent.format(value / matched)) : undefined;
  const stages: readonly Omit<Stage, 'share'>[] = [
    {
      id: 'matched',
      title: texts.matched,
      text: keywords.length === 0 ? texts.matchedAllText : texts.matchedText,
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
