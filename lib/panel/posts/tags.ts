import type { listTagsOperation } from '../../tags/operations.ts';
import { useGet } from '../api/hooks.ts';
import type { ReplyOf } from '../api/operation-types.ts';

export type Tag = ReplyOf<typeof listTagsOperation>['tags'][number];
export type TagColor = Tag['color'];

export const tagsPath = '/v1/tags';
/** The most tags of a post, as the service has it. */
export const mostTags = 20;
/** The most tags in a filter of a list, as the service has it. */
export const mostTagsInFilter = 20;
const mostCharacters = 50;
const everyMs = 60_000;

/** Returns the tags of the workspace, by name; `undefined` until they are read. */
export function useTags(): readonly Tag[] | undefined {
  return useGet<typeof listTagsOperation>(tagsPath, {}, { refetchEveryMs: everyMs }).data?.tags;
}

/** Returns a name as the service stores it. */
export const asTag = (typed: string): string => typed.normalize('NFC').trim();

/** Returns the text in which equal names are equal, as the service has it. */
export const foldTag = (name: string): string => name.toUpperCase().toLowerCase().normalize('NFC');

export const isSameTag = (one: string, other: string): boolean => foldTag(one) === foldTag(other);

/** Returns true if the name of a tag contains what was typed. */
export const matchesTag = (name: string, typed: string): boolean =>
  foldTag(name).includes(foldTag(asTag(typed)));

/** Returns true if a name can be that of a new tag. The service also refuses characters that nobody sees. */
export const isTagName = (name: string): boolean =>
  name !== '' && name.length <= mostCharacters && !/[,/\p{Cc}]/u.test(name) && name !== '.' && name !== '..';

/** Returns the colour of a tag; gray until it is known, and for a name that no tag has yet. */
export const colorOfTag = (tags: readonly Tag[] | undefined, name: string): TagColor =>
  tags?.find((tag) => isSameTag(tag.name, name))?.color ?? 'gray';
