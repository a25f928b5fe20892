import * as z from 'zod';
import { ExternalId as AccountExternalId } from '../../accounts/schemas.ts';
import { pageQuery } from '../../api-contract/shapes.ts';
import { canonicalId, isId } from '../../kernel/ids.ts';
import { Platform } from '../../platforms/contract/names.ts';
import { TagsInQuery } from '../../tags/schemas.ts';
import { PostStatus } from '../../targets/state.ts';
import { ExternalId } from '../request/labels.ts';
import { maxTargets } from '../request/schemas.ts';
import { ApprovalState } from '../stored/schemas.ts';
import { maxRangeDays, toBoundMs } from './range.ts';

/**
 * One name, or several with commas between them, in the order of `options`. It is text in the document, because clients encode lists
 * in a query differently.
 */
const severalOf = <Name extends string>(options: readonly Name[], description: string, example: string) =>
  z
    .string()
    .transform((text, { addIssue }) => {
      const names = text.split(',');
      const known = options.filter((option) => names.includes(option));
      if (names.every((name) => known.some((option) => option === name))) return known;
      addIssue(`must be one or several of ${options.join(', ')}`);
      return z.NEVER;
    })
    .meta({
      type: 'string',
      pattern: `^(${options.join('|')})(,(${options.join('|')}))*$`,
      description,
      examples: [example],
    });

/** One id, or several with commas between them, in a fixed order and without repetitions. */
const Ids = z
  .string()
  .transform((text, { addIssue }) => {
    const ids = [...new Set(text.split(',').map(canonicalId))].sort();
    if (ids.length <= maxTargets && ids.every(isId)) return ids;
    addIssue(`must be a UUID, or up to ${maxTargets} with commas between them`);
    return z.NEVER;
  })
  .meta({
    type: 'string',
    pattern: `^[0-9a-fA-F-]{36}(,[0-9a-fA-F-]{36}){0,${maxTargets - 1}}$`,
    description: 'Posts with this destination, or one of several: ids with commas between them',
  });

const bound = (description: string) =>
  z
    .string()
    .transform((text, { addIssue }) => {
      const epochMs = toBoundMs(text);
      if (epochMs !== undefined) return epochMs;
      addIssue('must be a date, or a date and time with an offset, such as 2026-03-01T09:00:00Z');
      return z.NEVER;
    })
    .meta({
      type: 'string',
      description: `${description}. A date and time with an offset, or a date, which begins at midnight in UTC. At most ${maxRangeDays} days; without the other bound exactly so many`,
    });

const onlyTrue = (description: string) =>
  z
    .literal('true', 'must be true, or left out')
    .transform(() => true as const)
    .optional()
    .meta({ type: 'boolean', const: true, enum: [true], description });

export const ListPostsQuery = pageQuery({
  search: z.string().min(1).max(200).optional().meta({
    description:
      'Posts with all of these words in their texts, titles or first comments, in any order and case; the last may be the beginning of a word. Of each post, the first 200 different words count. A change is found within seconds',
  }),
  status: severalOf(
    PostStatus.options,
    'One status, or several with commas between them',
    'failed,partial',
  ).optional(),
  platform: severalOf(
    Platform.options,
    'Posts with a destination on this platform, or one of several with commas between them',
    'instagram,threads',
  ).optional(),
  accountId: Ids.optional(),
  accountExternalId: AccountExternalId.optional().meta({
    description: 'Posts with a destination on an account that has this `externalId`',
  }),
  externalId: ExternalId.optional().meta({ description: 'Posts with this `externalId`' }),
  attention: onlyTrue(
    'Posts that failed or are partial, and those with a destination that failed or whose outcome is unknown',
  ),
  atRisk: onlyTrue('Posts that wait and have a destination with a `risk`'),
  ownTimes: onlyTrue('Posts with a destination whose time is not that of the post'),
  approval: ApprovalState.optional().meta({
    description: 'Posts with this state of approval; `waiting` are the drafts to decide about',
  }),
  tags: TagsInQuery.optional(),
  from: bound('Posts that are scheduled for this time or later').optional(),
  to: bound('Posts that are scheduled for an earlier time than this').optional(),
  sort: z.enum(['scheduledFor', 'createdAt']).optional().meta({
    description:
      '`createdAt` (default): newest first. `scheduledFor` (default with `from` or `to`): only posts with a time, earliest first; those of the same time are in no particular order, each on one page only',
  }),
});
export type ListPostsQuery = z.infer<typeof ListPostsQuery>;
