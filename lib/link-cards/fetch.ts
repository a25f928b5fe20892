import type { IncomingHttpHeaders } from 'node:http';
import { connectionFailure, DownloadError, openDownload } from '../http-client/address-guard/download.ts';
import type { PinnedConnections } from '../http-client/address-guard/pinned-connections.ts';
import type { PublicNetwork } from '../http-client/address-guard/public-url.ts';
import { secondMs } from '../kernel/clock.ts';
import { cardLimits, type FetchedPicture, type LinkCard } from '../platforms/contract/link-card.ts';
import type { ParsedPage } from './parse-page.ts';

/** The result of reading a page: its card, or the reason why there is none, for people. */
export type PageReading = { readonly card: LinkCard } | { readonly problem: string };

/**
 * Reads the page of a link.
 *
 * @param owner the workspace; connections and answers are not shared with others
 */
export type ReadPage = (url: string, owner: string) => Promise<PageReading>;

/** Fetches the picture of a card. @param owner as for {@link ReadPage} */
export type FetchPicture = (url: string, owner: string) => Promise<FetchedPicture>;

/** A page: what is needed of it is at its beginning, so a longer one is cut. */
const pageLimits = { seconds: 3, bytes: 1_048_576 } as const;
/** A picture. Our judgement: most are far smaller, and a worker holds it in memory. */
const pictureLimits = { seconds: 15, bytes: 5 * 1_048_576 } as const;

/** Reads the page of a link through the guard of addresses. Never rejects. */
export const readPageOf =
  (connections: PinnedConnections, network: PublicNetwork): ReadPage =>
  (url, owner) =>
    unlessFailed(pageLimits.seconds, async (signal) => {
      const download = await open(connections, network, { url, owner, signal });
      const { headers, body } = download;
      try {
        const type = /^[^;\s]*/.exec(headers['content-type'] ?? '')?.[0].toLowerCase() ?? '';
        if (!['text/html', 'application/xhtml+xml'].includes(type))
          return { problem: `it is not a web page but ${printable(type) || 'of an unknown type'}` };
        // The parser is a fifth of the code of a function that creates posts, and most posts need none.
        const { parsePage } = await import('./parse-page.ts');
        const page = parsePage();
        await parse(page, limited(body, signal), headers);
        const card = page.card(url, download.url);
        return card ? { card } : { problem: 'it has no title' };
      } finally {
        body.destroy();
      }
    });

/** Fetches a picture through the guard of addresses: a JPEG, a PNG or a GIF. Never rejects. */
export const fetchPictureOf =
  (
    connections: PinnedConnections,
    network: PublicNetwork,
    { seconds }: { readonly seconds: number } = pictureLimits,
  ): FetchPicture =>
  (url, owner) =>
    unlessFailed(seconds, async (signal) => {
      const { body } = await open(connections, network, { url, owner, signal });
      try {
        const chunks: Buffer[] = [];
        let size = 0;
        for await (const chunk of limited(body, signal)) {
          chunks.push(chunk);
          size += chunk.length;
          if (size > pictureLimits.bytes)
            return { problem: `it is larger than ${pictureLimits.bytes} bytes` };
        }
        const bytes = Buffer.concat(chunks);
        const contentType = pictureTypeOf(bytes);
        if (contentType === undefined) return { problem: 'it is not a JPEG, PNG or GIF' };
        return { contentType, bytes };
      } finally {
        body.destroy();
      }
    });

function open(
  connections: PinnedConnections,
  network: PublicNetwork,
  { url, ...request }: { readonly url: string; readonly owner: string; readonly signal: AbortSignal },
) {
  const { seconds } = pageLimits;
  return openDownload(
    connections,
    network,
    { ...request, url: secureAddress(url, network), userAgent: 'Herald-Links/1' },
    {
      urlCharacters: cardLimits.address,
      redirects: 3,
      connectSeconds: seconds,
      answerSeconds: pictureLimits.seconds,
    },
  );
}

/** Returns the address without its fragment, and with https in place of http, which the guard refuses and most servers redirect. */
function secureAddress(text: string, { plainHttpHosts }: PublicNetwork): string {
  const url = URL.parse(text);
  if (!url) return text;
  url.hash = '';
  if (url.protocol === 'http:' && url.port === '' && !plainHttpHosts.has(url.hostname))
    url.protocol = 'https:';
  return url.href;
}

/** Does something within a time. @returns if it fails, the reason */
async function unlessFailed<Result>(
  seconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | { readonly problem: string }> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), seconds * secondMs);
  // A look-up of a name cannot be aborted.
  const late = new Promise<never>((_resolve, reject) => {
    ending.signal.addEventListener('abort', () => reject(new Error('it takes too long')), { once: true });
  });
  try {
    return await Promise.race([work(ending.signal), late]);
  } catch (error) {
    const message = error instanceof DownloadError ? error.message : connectionFailure(error);
    return { problem: ending.signal.aborted ? `no complete response within ${seconds} s` : message };
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a body until the signal fires. */
async function* limited(
  body: AsyncIterable<Buffer> & { destroy(error?: Error): unknown },
  signal: AbortSignal,
): AsyncGenerator<Buffer, void> {
  const end = () => body.destroy(new Error('it takes too long'));
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  try {
    yield* body;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

async function parse(
  page: ParsedPage,
  chunks: AsyncIterable<Buffer>,
  headers: IncomingHttpHeaders,
): Promise<void> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity')
    throw new DownloadError('the server sends it compressed, although that was not asked for');
  let decoder: ReturnType<typeof decoderFor> | undefined;
  let head: Buffer = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    head = decoder ? chunk : Buffer.concat([head, chunk]);
    if (!decoder && head.length < charsetBytes) continue;
    decoder ??= decoderFor(head, headers['content-type'] ?? '');
    if (!page.write(decoder.decode(head, { stream: true })) || bytes >= pageLimits.bytes) return;
  }
  if (!decoder) page.write(decoderFor(head, headers['content-type'] ?? '').decode(head));
}

/** Browsers look for the character set in so many bytes (HTML Standard, 13.2.3.2). */
const charsetBytes = 1_024;

/** Returns the decoder for a page: by its byte order mark, its header or its first bytes; UTF-8 for an unknown character set. */
function decoderFor(head: Buffer, contentType: string) {
  const inHead = head.subarray(0, charsetBytes).toString('latin1');
  const marked = inHead.startsWith('\u00fe\u00ff')
    ? 'utf-16be'
    : inHead.startsWith('\u00ff\u00fe')
      ? 'utf-16le'
      : undefined;
  const named = /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i;
  const label = marked ?? named.exec(contentType)?.[1] ?? named.exec(inHead)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

const signatures: readonly (readonly [contentType: string, bytes: string])[] = [
  ['image/jpeg', 'ffd8ff'],
  ['image/png', '89504e470d0a1a0a'],
  ['image/gif', '47494638'],
];

/** Returns the type of a picture by its first bytes; undefined for any other. What the server says does not count. */
const pictureTypeOf = (bytes: Buffer): string | undefined =>
  signatures.find(([, start]) => bytes.subarray(0, start.length / 2).toString('hex') === start)?.[0];

const printable = (text: string): string => text.replaceAll(/[^a-z0-9./+-]/g, '').slice(0, 40);
