/** Compresses replies as CloudFront does. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { CachePolicyResource } from '../model.ts';

const compressors = {
  // The level is not documented. This one takes little time.
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
} as const;

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/ServingCompressedFiles.html */
const smallestBytes = 1_000;
const largestBytes = 10_000_000;
const compressedTypes =
  /^(?:text\/(?:html|css|plain|javascript|xml|csv|markdown)|application\/(?:javascript|json|xml|wasm|manifest\+json|vnd\.api\+json|rss\+xml)|image\/svg\+xml|font\/(?:ttf|otf))\b/i;
const compressedStatuses = [200, 403, 404];

export interface PlainReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Compresses a reply, with Brotli if the viewer accepts both. A strong ETag becomes a weak one, because the bytes differ. */
export async function compressed<Reply extends PlainReply>(
  reply: Reply,
  acceptEncoding: string | undefined,
  encodings: CachePolicyResource['encodings'],
): Promise<Reply> {
  const { status, headers, body } = reply;
  const accepted = (acceptEncoding ?? '').split(',').map((each) => each.trim().replace(/;.*$/, ''));
  const encoding = (['br', 'gzip'] as const).find(
    (each) => encodings.includes(each) && accepted.includes(each),
  );
  if (
    encoding === undefined ||
    headers['content-encoding'] !== undefined ||
    !compressedStatuses.includes(status) ||
    !compressedTypes.test(headers['content-type'] ?? '') ||
    body.length < smallestBytes ||
    body.length > largestBytes
  )
    return reply;
  const bytes = await compressors[encoding](body);
  const etag = headers['etag'];
  return {
    ...reply,
    headers: {
      ...headers,
      ...(etag?.startsWith('"') && { etag: `W/${etag}` }),
      vary: headers['vary'] === undefined ? 'Accept-Encoding' : `${headers['vary']}, Accept-Encoding`,
      'content-encoding': encoding,
      'content-length': String(bytes.length),
    },
    body: bytes,
  };
}
