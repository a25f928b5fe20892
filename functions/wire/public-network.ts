import { type DownloadLimits, openDownload } from '../../lib/http-client/address-guard/download.ts';
import { pinnedConnections } from '../../lib/http-client/address-guard/pinned-connections.ts';
import {
  type PlainHttpHosts,
  type PublicNetwork,
  parsePlainHttpHosts,
} from '../../lib/http-client/address-guard/public-url.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { pagesOfRequest, remembering } from '../../lib/link-cards/bounded.ts';
import { type FetchPicture, fetchPictureOf, type ReadPage, readPageOf } from '../../lib/link-cards/fetch.ts';
import { importUrlCharacters } from '../../lib/media/imports/plan-import.ts';
import type { ImportPorts } from '../../lib/media/imports/ports.ts';
import type { FetchClientDocument } from '../../lib/people/grants/client-document.ts';
import { fetchClientDocumentOf } from '../../lib/people/grants/fetch-document.ts';
import type { Wire } from './start.ts';

/** Hosts of this machine that may be reached with plain http. */
export const plainHttpHosts: Wire<PlainHttpHosts> = (environment) =>
  parsePlainHttpHosts(environment('PLAIN_HTTP_HOSTS'));

/** The network that may be reached for users: receivers of webhooks, and sources of imported files. */
export const network: Wire<PublicNetwork> = (environment) => ({
  plainHttpHosts: plainHttpHosts(environment),
});

const limits: DownloadLimits = {
  urlCharacters: importUrlCharacters,
  redirects: 5,
  connectSeconds: 5,
  answerSeconds: 20,
};

/** Opens the sources of files. */
export const openSource: Wire<ImportPorts['open']> = (environment) => {
  const reached = network(environment);
  const connections = pinnedConnections();
  return (url, owner) =>
    openDownload(connections, reached, { url, owner, userAgent: 'Herald-Media/1' }, limits);
};

/** Makes a reader of the pages of links for one request. */
export const pageReader: Wire<() => ReadPage> = (environment) => {
  const read = remembering(readPageOf(pinnedConnections(), network(environment)), systemClock);
  return () => pagesOfRequest(read, systemClock);
};

/** Fetches the pictures of cards. */
export const fetchPicture: Wire<FetchPicture> = (environment) =>
  fetchPictureOf(pinnedConnections(), network(environment));

/** Fetches the picture of a platform's post, for which a request waits. */
export const fetchPostPicture: Wire<FetchPicture> = (environment) =>
  fetchPictureOf(pinnedConnections(), network(environment), { seconds: 6 });

/** Fetches the metadata documents of clients that ask for access. */
export const fetchClientDocument: Wire<FetchClientDocument> = (environment) =>
  fetchClientDocumentOf(pinnedConnections(), network(environment));
