import type * as z from 'zod';
import type { Operation } from '../../api-contract/operation.ts';
import { useGet } from '../api/hooks.ts';
import { join } from '../components/classes.ts';
import type { Change } from './move.ts';
import type { ListedPost } from './post.ts';
import classes from './tags.module.css';

/**
 * All that the panel knows of the form of tags. The types are written here until the schemas of posts have tags: then they follow from
 * `ListedPost`, `editPostOperation` and `listTagsOperation`.
 */
export interface Tag {
  readonly name: string;
  /** The name of a colour of {@link TagList}'s palette; another one is shown without a colour. */
  readonly color: string;
}

type ListTags = Operation & {
  readonly method: 'GET';
  readonly path: '/v1/tags';
  readonly pathParameters?: undefined;
  readonly query?: undefined;
  readonly body?: undefined;
  readonly replies: { readonly 200: { readonly body: z.ZodType<{ readonly tags: readonly Tag[] }> } };
};

/** The most tags in a filter of a list. */
export const mostTagsInFilter = 20;

/** Returns a name in which equal names of tags are equal: the case of letters makes no difference. */
export const foldTag = (name: string): string => name.normalize('NFC').toUpperCase().toLowerCase();

/** The names of the tags of a post. */
export const tagsOf = (post: ListedPost): readonly string[] =>
  (post as ListedPost & { readonly tags?: readonly string[] }).tags ?? [];

/** The request that replaces the tags of a post, whatever its state. */
export const changeTags = (tags: readonly string[]) => ({ tags }) as Change;

const path = '/v1/tags';
/** The paths to read again after a change of tags. */
export const tagPaths = [path];

/** The tags of the workspace; `undefined` until they are read, and if the service has none. */
export function useTags(): readonly Tag[] | undefined {
  const { data } = useGet<ListTags>(path, undefined, { refetchEveryMs: 60_000 });
  return (data as { readonly tags: readonly Tag[] } | undefined)?.tags;
}

const colors = ['blue', 'amber', 'green', 'pink', 'teal', 'red', 'violet', 'lime', 'orange', 'gray'] as const;

/** Tags with their colours, beside their names. */
export function TagList({ names, tags }: { names: readonly string[]; tags: readonly Tag[] | undefined }) {
  if (names.length === 0) return null;
  const colorOf = (name: string) =>
    colors.find((each) => each === tags?.find((tag) => tag.name === name)?.color);
  return (
    <span className={classes.tags}>
      {names.map((name) => {
        const color = colorOf(name);
        return (
          <span key={name} className={join(classes.tag, color && classes[color])}>
            <bdi>{name}</bdi>
          </span>
        );
      })}
    </span>
  );
}
