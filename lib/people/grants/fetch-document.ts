import { connectionFailure, DownloadError, openDownload } from '../../http-client/address-guard/download.ts';
import type { PinnedConnections } from '../../http-client/address-guard/pinned-connections.ts';
import type { PublicNetwork } from '../../http-client/address-guard/public-url.ts';
import { secondMs } from '../../kernel/clock.ts';
import type { FetchClientDocument } from './client-document.ts';

/** Real documents have less than 2 KB. The draft recommends a limit of 5 KB. */
const maxBytes = 10_240;
const seconds = 4;
/**
 * The types with which documents are served (draft-ietf-oauth-client-id-metadata-document-00, section 4). Where people share files of
 * their own, these mostly have another, so none of them makes its author a client with the name of that host.
 */
const documentType = /^application\/([\w.-]+\+)?json *(;|$)/i;

/** Fetches metadata documents of clients through the guard of addresses, without following redirects. */
export const fetchClientDocumentOf =
  (connections: PinnedConnections, network: PublicNetwork): FetchClientDocument =>
  async (url) => {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), seconds * secondMs);
    // A look-up of a name cannot be aborted.
    const late = new Promise<never>((_resolve, reject) => {
      ending.signal.addEventListener('abort', () => reject(new DownloadError(tooSlow)), { once: true });
    });
    try {
      return await Promise.race([read(connections, network, url, ending.signal), late]);
    } catch (error) {
      if (ending.signal.aborted) return { problem: tooSlow };
      return { problem: error instanceof DownloadError ? error.message : connectionFailure(error) };
    } finally {
      clearTimeout(timer);
    }
  };

const tooSlow = `no complete response within ${seconds} s`;

async function read(
  connections: PinnedConnections,
  network: PublicNetwork,
  url: string,
  signal: AbortSignal,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const { body, headers } = await openDownload(
    connections,
    network,
    { url, owner: 'clients', userAgent: 'Herald-Clients/1', signal },
    { urlCharacters: 500, redirects: 0, connectSeconds: seconds, answerSeconds: seconds },
  );
  if (!documentType.test(headers['content-type'] ?? '')) {
    body.destroy();
    return { problem: 'it is not served as JSON' };
  }
  const end = () => body.destroy();
  signal.addEventListener('abort', end, { once: true });
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) return { problem: `it is larger than ${maxBytes} bytes` };
      chunks.push(chunk);
    }
    return { text: Buffer.concat(chunks).toString('utf8') };
  } finally {
    signal.removeEventListener('abort', end);
    body.destroy();
  }
}
