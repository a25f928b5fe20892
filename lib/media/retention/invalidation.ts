import { sha256 } from '../../kernel/ids.ts';
import type { Media } from '../schemas.ts';

/** A request to CloudFront to drop cached copies. */
export interface Invalidation {
  /** A text that is equal for equal requests: CloudFront runs a repeated one once. */
  readonly reference: string;
  /** Paths on the media host, with a leading slash; `*` at the end matches the rest. */
  readonly paths: readonly string[];
}

/** A removed file, with the keys of its renditions' objects. */
export interface RemovedFile {
  readonly media: Pick<Media, 'workspaceId' | 'objectKey' | 'status' | 'removal'>;
  readonly renditionKeys: readonly string[];
}

/**
 * The number of objects in a workspace from which one path with a wildcard replaces their own. It costs as much as one object:
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/PayingForInvalidation.html
 */
const manyObjects = 10;

/**
 * Makes the invalidation of removed files. Pure. Invalidates only files that a user deleted. A path costs $0.005, and the
 * automatic cleanup removes every published file, a month after its publication: there, the cache's limit of an hour is enough.
 *
 * @returns `undefined` if nothing needs to be invalidated
 */
export function invalidationOf(files: readonly RemovedFile[]): Invalidation | undefined {
  const shown = files
    .filter(({ media: { status, removal } }) => status === 'ready' && removal === 'asked')
    .flatMap(({ media: { workspaceId, objectKey }, renditionKeys }) =>
      [objectKey, ...renditionKeys].map((key) => ({ workspaceId, key })),
    );
  if (shown.length === 0) return undefined;
  const byWorkspace = Map.groupBy(shown, ({ workspaceId }) => workspaceId);
  const paths = [...byWorkspace].flatMap(([workspaceId, own]) =>
    own.length < manyObjects ? own.map(({ key }) => `/${key}`) : [`/media/${workspaceId}/*`],
  );
  // Made from the keys, which never recur. Two bulk deletions of a workspace have the same wildcard.
  const keys = shown.map(({ key }) => key).sort();
  return { reference: sha256(keys.join('\n')), paths: paths.sort() };
}
