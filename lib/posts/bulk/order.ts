import type { ReadRequest } from '../create.ts';

/** A request to create a post, with its place in the bulk. */
export interface PlacedRequest extends Pick<ReadRequest, 'draft' | 'digest' | 'bodyDigest'> {
  readonly index: number;
}

/** Posts that must be created one after another, in this order. */
export type Lane<Request extends PlacedRequest> = readonly Request[];

/**
 * Divides posts into stages, which follow each other, and these into lanes, which may run at the same time. Pure.
 * 1. The posts with their own times, each in a lane. Posts that import files share one: each of them changes the number of the
 *    workspace's open imports, and DynamoDB refuses transactions that write the same item at the same time.
 * 2. The posts that ask for a slot. They see the times of stage 1. Posts that have an account in common share a lane, so that
 *    they take slots in the order of the request. So do posts that import files.
 * 3. The posts whose idempotency key an earlier post of the request has, in one lane: the earlier one is created first, whatever
 *    it asks for.
 */
export function inStages<Request extends PlacedRequest>(
  requests: readonly Request[],
): readonly (readonly Lane<Request>[])[] {
  const firstByDigest = new Map<string, Request>();
  for (const request of requests)
    if (request.digest !== undefined && !firstByDigest.has(request.digest))
      firstByDigest.set(request.digest, request);
  const isRepeat = (request: Request) =>
    request.digest !== undefined && firstByDigest.get(request.digest) !== request;
  const firsts = requests.filter((request) => !isRepeat(request));
  const asksForSlot = ({ draft }: Request) => draft.isScheduled && draft.isAuto === true;
  const repeats = requests.filter(isRepeat);
  const timed = firsts.filter((request) => !asksForSlot(request));
  const importing = timed.filter(importsFiles);
  return [
    [
      ...(importing.length > 0 ? [importing] : []),
      ...timed.filter((request) => !importsFiles(request)).map((request) => [request]),
    ],
    joinByAccount(firsts.filter(asksForSlot)),
    repeats.length > 0 ? [repeats] : [],
  ];
}

const importsFiles = ({ draft }: PlacedRequest): boolean => (draft.imports ?? []).length > 0;

/** A name that joins lanes like an account's id, but differs from all ids. */
const openImportsLane = 'open imports';

function joinByAccount<Request extends PlacedRequest>(requests: readonly Request[]): Lane<Request>[] {
  let lanes: { accountIds: readonly string[]; requests: Lane<Request> }[] = [];
  for (const request of requests) {
    const accountIds = [
      ...request.draft.destinations.map(({ entry }) => entry.accountId),
      ...(importsFiles(request) ? [openImportsLane] : []),
    ];
    const isJoined = (lane: { accountIds: readonly string[] }) =>
      lane.accountIds.some((id) => accountIds.includes(id));
    const joined = lanes.filter(isJoined);
    const merged = {
      accountIds: [...new Set([...joined.flatMap((lane) => lane.accountIds), ...accountIds])],
      requests: [...joined.flatMap((lane) => lane.requests), request].toSorted(
        (one, other) => one.index - other.index,
      ),
    };
    lanes = [...lanes.filter((lane) => !isJoined(lane)), merged];
  }
  return lanes.map((lane) => lane.requests);
}
