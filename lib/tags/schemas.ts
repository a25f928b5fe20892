import * as z from 'zod';
import { isReadable, unreadableProblem } from '../kernel/readable-names.ts';

/** Limits for tags. */
export const maxTagsOfPost = 20;
export const maxTagCharacters = 50;
export const maxTagsOfWorkspace = 500;

/** Lists of tags have commas between them, and paths slashes. A client takes `.` and `..` out of a path. */
const isAddressable = (name: string): boolean => !/[,/]/.test(name) && name !== '.' && name !== '..';

/** The name of a tag, without spaces around it. */
export const TagName = z
  .string()
  .overwrite((name) => name.normalize('NFC').trim())
  .min(1)
  .max(maxTagCharacters)
  .refine(isReadable, unreadableProblem)
  .refine(isAddressable, 'must not contain a comma or a slash, nor be . or ..');

/** Returns the text in which equal names of tags are equal: the case of letters makes no difference. */
export const foldTag = (name: string): string => name.toUpperCase().toLowerCase().normalize('NFC');

/** The names of a post's tags, as a client sends them. */
export const TagNames = z
  .array(TagName)
  .max(maxTagsOfPost)
  .superRefine((names, { addIssue }) => {
    const seen = new Set<string>();
    for (const [index, name] of names.entries()) {
      if (seen.has(foldTag(name)))
        addIssue({
          code: 'custom',
          path: [index],
          message: 'is named twice',
          params: { code: 'field_duplicate' },
        });
      seen.add(foldTag(name));
    }
  })
  .meta({
    description: `Labels for the workspace’s own use, which no platform gets; at most ${maxTagsOfPost}. A name has up to ${maxTagCharacters} characters, without commas and slashes; the case of letters makes no difference. A tag comes into being when it is first used. The posts of the chain have the same`,
  });

/** The most tags in a filter. */
const maxTagsInQuery = 20;

/** The names of tags in a query, with commas between them. A name that no tag has finds nothing. */
export const TagsInQuery = z
  .string()
  .max(maxTagsInQuery * (maxTagCharacters + 1))
  .transform((text) => text.split(',').map((name) => name.normalize('NFC').trim()))
  .refine((names) => names.length <= maxTagsInQuery, `must name at most ${maxTagsInQuery} tags`)
  .meta({
    type: 'string',
    description: 'Posts with any of these tags: a name, or several with commas between them',
    examples: ['launch,summer'],
  });

/** The colours of tags, in the order in which new tags get them. */
export const TagColor = z
  .enum(['blue', 'amber', 'green', 'pink', 'teal', 'red', 'violet', 'lime', 'orange', 'gray'])
  .meta({ id: 'TagColor' });
export type TagColor = z.infer<typeof TagColor>;

/** A tag of a workspace, as stored. */
const StoredTag = z.object({
  /** The number by which posts refer to it. It is never used again. */
  id: z.int(),
  name: z.string(),
  color: TagColor,
});
export type StoredTag = z.infer<typeof StoredTag>;

/** All tags of a workspace, in one item: see `docs/decisions/0083`. */
export const WorkspaceTags = z.object({
  tags: z.array(StoredTag),
  /** The highest id that was ever given. */
  lastId: z.int(),
  /** Incremented by every write. */
  version: z.int(),
});
export type WorkspaceTags = z.infer<typeof WorkspaceTags>;

/** The field of a stored post that refers to its tags. */
export interface Tagged {
  /** The ids of its tags, in order. Those of deleted tags stay, and mean nothing. */
  readonly tagIds?: readonly number[] | undefined;
}

export const TagView = z
  .object({ name: z.string(), color: TagColor })
  .meta({ id: 'Tag', description: 'A label that the posts of a workspace can have' });
export type TagView = z.infer<typeof TagView>;
