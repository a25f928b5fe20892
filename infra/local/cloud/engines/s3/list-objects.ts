import type { BucketResource } from '../../model.ts';
import { AwsError } from '../errors.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';
import { requireBucketAccess, type S3Reply, type S3Request } from './request.ts';
import { xmlDocument } from './xml.ts';

interface Page {
  readonly objects: readonly StoredObject[];
  readonly commonPrefixes: readonly string[];
  /** The next page starts after this key; undefined if this is the last page. */
  readonly continueAfter: string | undefined;
}

/** The highest code point. A common prefix followed by it sorts after every key with that prefix. */
const lastCharacter = '\u{10FFFF}';

/** Runs ListObjectsV2. @throws AwsError for missing rights, another version or an invalid `max-keys`. */
export function listObjects(store: ObjectStore, bucket: BucketResource, request: S3Request): S3Reply {
  requireBucketAccess(request, 'ListBucket', bucket);
  const { query } = request;
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const token = query.get('continuation-token');
  const startAfter = query.get('start-after');
  const maxKeys = Math.min(Number(query.get('max-keys') ?? 1000), 1000);
  if (query.get('list-type') !== '2') {
    throw new AwsError(
      'NotImplemented',
      'The local cloud only implements ListObjectsV2: send list-type=2.',
      501,
    );
  }
  if (!Number.isInteger(maxKeys) || maxKeys < 0) {
    throw new AwsError('InvalidArgument', 'Argument max-keys must be an integer between 0 and 2147483647');
  }
  const after = token === null ? (startAfter ?? '') : Buffer.from(token, 'base64url').toString('utf8');
  const page =
    maxKeys === 0 ? emptyPage : readPage(store, bucket.name, { prefix, delimiter, after, maxKeys });
  const shown = query.get('encoding-type') === 'url' ? encodedName : (name: string) => name;
  return {
    httpStatus: 200,
    headers: { 'content-type': 'application/xml' },
    body: xmlDocument('ListBucketResult', {
      Name: bucket.name,
      Prefix: shown(prefix),
      Delimiter: delimiter === '' ? undefined : shown(delimiter),
      MaxKeys: maxKeys,
      EncodingType: query.get('encoding-type') ?? undefined,
      KeyCount: page.objects.length + page.commonPrefixes.length,
      IsTruncated: page.continueAfter !== undefined,
      ContinuationToken: token ?? undefined,
      NextContinuationToken: page.continueAfter && Buffer.from(page.continueAfter).toString('base64url'),
      StartAfter: startAfter === null ? undefined : shown(startAfter),
      Contents: page.objects.map((object) => ({
        Key: shown(object.key),
        LastModified: new Date(object.modifiedAtMs).toISOString(),
        ETag: `"${object.etag}"`,
        Size: object.size,
        StorageClass: 'STANDARD',
      })),
      CommonPrefixes: page.commonPrefixes.map((name) => ({ Prefix: shown(name) })),
    }),
  };
}

const emptyPage: Page = { objects: [], commonPrefixes: [], continueAfter: undefined };

function readPage(
  store: ObjectStore,
  bucketName: string,
  asked: { prefix: string; delimiter: string; after: string; maxKeys: number },
): Page {
  const { prefix, delimiter, maxKeys } = asked;
  const objects: StoredObject[] = [];
  const commonPrefixes: string[] = [];
  let after = asked.after;
  for (;;) {
    const [object] = store.list(bucketName, prefix, after, 1);
    if (!object) return { objects, commonPrefixes, continueAfter: undefined };
    if (objects.length + commonPrefixes.length === maxKeys) {
      return { objects, commonPrefixes, continueAfter: after };
    }
    const end = delimiter === '' ? -1 : object.key.indexOf(delimiter, prefix.length);
    if (end < 0) {
      objects.push(object);
      after = object.key;
    } else {
      const commonPrefix = object.key.slice(0, end + delimiter.length);
      commonPrefixes.push(commonPrefix);
      after = commonPrefix + lastCharacter;
    }
  }
}

function encodedName(name: string): string {
  return encodeURIComponent(name).replaceAll('%2F', '/');
}
