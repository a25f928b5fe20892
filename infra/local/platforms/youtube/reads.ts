import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { type Gate, refusal } from './gate.ts';
import { readParts } from './metadata.ts';
import {
  channelResource,
  type ListedItem,
  listResponse,
  playlistItemResource,
  privacyAt,
  videoResource,
} from './resources.ts';
import { readScopes } from './scopes.ts';
import { type State, type User, uploadsPlaylistId, type Video } from './state.ts';

const largestPage = 50;

/** `channels.list`, `videos.list` and `playlistItems.list`. Only the owner sees private videos. */
export function readOperations(
  { numbers, reads }: Workbench,
  { users, videos, playlists, playlistEntries }: State,
  gate: Gate,
): readonly Operation[] {
  function listChannels(call: Call): Answer {
    const user = gate.checkCall(call, readScopes);
    gate.charge('channels.list', call.at);
    const parts = requireParts(call);
    const ids = call.query.get('id')?.split(',');
    if (ids === undefined && call.query.get('mine') !== 'true') throw refusal('missingRequiredFilter');
    const asked =
      ids === undefined ? [user] : users.list().filter(({ channelId }) => ids.includes(channelId ?? ''));
    const items = asked.flatMap((owner) =>
      owner.channelId === undefined
        ? []
        : [channelResource(owner, owner.channelId, parts, channelStatistics(owner.channelId, call.at))],
    );
    return json(listResponse('channel', items, { totalResults: items.length, resultsPerPage: 5 }));
  }

  function listVideos(call: Call): Answer {
    const { channelId } = gate.checkCall(call, readScopes);
    gate.charge('videos.list', call.at);
    const parts = requireParts(call);
    const ids = (call.query.get('id') ?? '').split(',').filter((id) => id !== '');
    if (ids.length === 0) throw refusal('missingRequiredFilter');
    if (ids.length > largestPage)
      throw refusal('badRequest', `The id parameter takes up to ${largestPage} ids.`);
    const found = reads.ofState(call, ({ at }) =>
      ids
        .flatMap((id) => videos.get(id) ?? [])
        .filter((video) => video.channelId === channelId || privacyAt(video, at) !== 'private'),
    );
    const isForOwner = parts.some((part) => part === 'fileDetails' || part === 'processingDetails');
    if (isForOwner && found.some((video) => video.channelId !== channelId)) throw refusal('forbidden');
    const items = found.map((video) => videoResource(video, parts, call.at, statisticsOf(video, call.at)));
    return json(listResponse('video', items, { totalResults: items.length, resultsPerPage: items.length }));
  }

  /** Counts are text. A number that the owner hides is left out. https://developers.google.com/youtube/v3/docs/videos#statistics */
  function statisticsOf({ id, uploadedAt, publicAt = uploadedAt }: Video, at: number): object {
    const names = ['viewCount', 'likeCount', 'commentCount'] as const;
    const counts = names.map((name) => [name, numbers.total(id, name, publicAt, at)] as const);
    return Object.fromEntries(
      counts.flatMap(([name, count]) => (count === undefined ? [] : [[name, String(count)]])),
    );
  }

  function channelStatistics(channelId: string, at: number): object {
    const count = numbers.followers(channelId, 'subscriberCount', at);
    return { subscriberCount: String(count ?? 0), hiddenSubscriberCount: count === undefined };
  }

  function listPlaylistItems(call: Call): Answer {
    const user = gate.checkCall(call, readScopes);
    gate.charge('playlistItems.list', call.at);
    const parts = requireParts(call);
    const playlistId = call.query.get('playlistId');
    if (playlistId === null) throw refusal('missingRequiredParameter', 'Missing parameter: playlistId');
    const resultsPerPage = readMaxResults(call);
    const offset = readPageToken(call);
    const videoId = call.query.get('videoId');
    const all = reads.ofList(call, (seen) =>
      itemsOf(playlistId, user, seen).filter(({ video }) => videoId === null || video.id === videoId),
    );
    const end = offset + resultsPerPage;
    const items = all
      .slice(offset, end)
      .map((item, index) => playlistItemResource(item, offset + index, parts, call.at));
    const next = end < all.length ? { nextPageToken: pageToken(end) } : {};
    return json(listResponse('playlistItem', items, { totalResults: all.length, resultsPerPage, ...next }));
  }

  /** Returns the videos that a user sees in a playlist: in one of a channel's, or in the uploads of a channel. */
  function itemsOf(playlistId: string, user: User, { at }: Call): readonly ListedItem[] {
    const isShown = (video: Video) => video.channelId === user.channelId || privacyAt(video, at) === 'public';
    const owner = users
      .list()
      .find(({ channelId }) => channelId !== undefined && uploadsPlaylistId(channelId) === playlistId);
    if (owner?.channelId !== undefined) {
      const { channelId } = owner;
      const uploads = videos.list({ owner: channelId, newestFirst: true }).filter(isShown).map(changed);
      return [...othersOf(channelId), ...uploads].map((video) => ({
        id: Buffer.from(`${playlistId}.${video.id}`).toString('base64url'),
        playlistId,
        video,
        addedAt: video.uploadedAt,
      }));
    }
    const playlist = playlists.get(playlistId);
    if (playlist === undefined) throw refusal('playlistNotFound');
    if (playlist.channelId !== user.channelId && playlist.privacyStatus === 'private') {
      throw refusal('playlistItemsNotAccessible');
    }
    return playlistEntries.list({ owner: playlistId }).flatMap(({ id, videoId, addedAt }) => {
      const video = videos.get(videoId);
      return video !== undefined && isShown(video)
        ? [{ id, playlistId, video: changed(video), addedAt }]
        : [];
    });
  }

  const changed = (video: Video): Video => {
    const { title, description } = video.metadata;
    const shown = { title: reads.text(title), description: reads.text(description) };
    return { ...video, metadata: { ...video.metadata, ...shown } };
  };

  const othersOf = (channelId: string): Video[] =>
    reads.others((number, uploadedAt) => ({
      id: `other${String(number).padStart(6, '0')}`,
      channelId,
      channelTitle: '',
      metadata: { ...otherMetadata, title: `Other video ${number}` },
      fileName: 'unknown',
      file: { type: 'video/mp4', bytes: 1, sha256: '' },
      uploadedAt,
      processedAt: uploadedAt,
      outcome: { uploadStatus: 'processed' },
      isShort: false,
    }));

  const otherMetadata: Video['metadata'] = {
    title: '',
    description: '',
    tags: [],
    categoryId: '22',
    privacyStatus: 'public',
    selfDeclaredMadeForKids: false,
    containsSyntheticMedia: false,
    license: 'youtube',
    embeddable: true,
    publicStatsViewable: true,
  };

  const path = (name: string) => `www.googleapis.com/youtube/v3/${name}`;
  return [
    operation('channels.list', 'GET', path('channels'), listChannels),
    operation('videos.list', 'GET', path('videos'), listVideos),
    operation('playlistItems.list', 'GET', path('playlistItems'), listPlaylistItems),
  ];
}

/** Reads the names in `part`. @throws Refusal 400 if there are none or one is unknown */
export function requireParts({ query }: Call, known?: ReadonlySet<string>): readonly string[] {
  const parts = readParts(query.get('part'), known);
  if (typeof parts !== 'string') return parts;
  throw parts === 'missingRequiredParameter'
    ? refusal(parts, "No value for required parameter 'part'.")
    : refusal(parts, `'${query.get('part')}'`);
}

/** @param largest the maximum of `maxResults` */
export function readMaxResults({ query }: Call, usual = 5, largest = largestPage): number {
  const text = query.get('maxResults') ?? String(usual);
  const maxResults = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (maxResults <= largest) return maxResults;
  throw refusal('badRequest', `Invalid value '${text}'. Values must be within the range: [0, ${largest}]`);
}

/** Returns a page token. It is opaque so that clients cannot rely on the offset inside. */
export function pageToken(offset: number): string {
  return Buffer.from(`offset:${offset}`).toString('base64url');
}

export function readPageToken({ query }: Call): number {
  const token = query.get('pageToken');
  if (token === null) return 0;
  const offset = /^offset:(\d{1,9})$/.exec(Buffer.from(token, 'base64url').toString())?.[1];
  if (offset === undefined) throw refusal('invalidPageToken');
  return Number(offset);
}
