import * as z from 'zod';
import { Id } from '../../api-contract/fields.ts';
import { pageQuery } from '../../api-contract/shapes.ts';
import { Platform } from '../../platforms/contract/names.ts';
import { maxTagCharacters } from '../../tags/schemas.ts';
import { PostStatus } from '../../targets/state.ts';
import { ExternalId } from '../request/labels.ts';
import { ApprovalState } from '../stored/schemas.ts';
import { maxRangeDays, toBoundMs } from './range.ts';

/** The most tags in a filter. */
const maxTagsInQuery = 20;

const statusNames = PostStatus.options.join('|');

/**
 * One status, or several with commas between them. It is text in the document, because clients encode lists in a query
 * differently.
 */
const Statuses = z
  .string()
  .transform((text, { addIssue }) => {
    const names = text.split(',');
    const known = PostStatus.options.filter((status) => names.includes(status));
    if (names.every((name) => known.some((status) => status === name))) return known;
    addIssue(`must be one or several of ${PostStatus.options.join(', ')}`);
    return z.NEVER;
  })
  .meta({
    type: 'string',
    pattern: `^(${statusNames})(,(${statusNames}))*$`,
    description: 'One status, or several with commas between them',
    examples: ['failed,partial'],
  });

/** The names of tags, with commas between them. A name that no tag has finds nothing. */
const Tags = z
  .string()
  .max(maxTagsInQuery * (maxTagCharacters + 1))
  .transform((text) => text.split(',').map((name) => name.normalize('NFC').trim()))
  .refine((names) => names.length <= maxTagsInQuery, `must name at most ${maxTagsInQuery} tags`)
  .meta({
    type: 'string',
    description: 'Posts with any of these tags: a name, or several with commas between them',
    examples: ['launch,summer'],
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
  status: Statuses.optional(),
  platform: Platform.optional().meta({ description: 'Posts with a destination on this platform' }),
  accountId: Id.optional().meta({ format: 'uuid', description: 'Posts with this destination' }),
  externalId: ExternalId.optional().meta({ description: 'Posts with this `externalId`' }),
  attention: onlyTrue(
    'Posts that failed or are partial, and those with a destination that failed or whose outcome is unknown',
  ),
  atRisk: onlyTrue('Posts that wait and have a destination with a `risk`'),
  ownTimes: onlyTrue('Posts with a destination whose time is not that of the post'),
  approval: ApprovalState.optional().meta({
    description: 'Posts with this state of approval; `waiting` are the drafts to decide about',
  }),
  tags: Tags.optional(),
  from: bound('Posts that are scheduled for this time or later').optional(),
  to: bound('Posts that are scheduled for an earlier time than this').optional(),
  sort: z.enum(['scheduledFor', 'createdAt']).optional().meta({
    description:
      '`createdAt` (default): newest first. `scheduledFor` (default with `from` or `to`): only posts with a time, earliest first; those of the same time are in no particular order, each on one page only',
  }),
});
export type ListPostsQuery = z.infer<typeof ListPostsQuery>;
