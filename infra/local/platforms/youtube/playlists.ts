import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { type Gate, refusal } from './gate.ts';
import type { StoreVideo } from './live-videos.ts';
import { pageToken, readMaxResults, readPageToken, requireParts } from './reads.ts';
import { listResponse, playlistItemResource, playlistResource } from './resources.ts';
import { playlistScopes, readScopes } from './scopes.ts';
import type { Playlist, PlaylistEntry, State, User } from './state.ts';

/** https://support.google.com/youtube/answer/57792: a playlist has at most 5,000 videos. */
const mostEntries = 5_000;

/** `part` of playlists and their items. Discovery document of 2026-09-24. */
const playlistParts = new Set(['contentDetails', 'id', 'localizations', 'player', 'snippet', 'status']);
const itemParts = new Set(['contentDetails', 'id', 'snippet', 'status']);

/** `playlists.list`, of the own channel only, `playlistItems.insert` and `playlistItems.delete`. */
export function playlistOperations(
  { ledger, random, reads }: Workbench,
  { playlists, playlistEntries, videos }: State,
  gate: Gate,
  storeVideo: StoreVideo,
): readonly Operation[] {
  function list(call: Call): Answer {
    const { channelId, title } = gate.checkCall(call, readScopes);
    gate.charge('playlists.list', call.at);
    const parts = requireParts(call, playlistParts);
    if (call.query.get('mine') !== 'true') throw refusal('missingRequiredFilter');
    if (channelId === undefined) throw refusal('youtubeSignupRequired');
    const resultsPerPage = readMaxResults(call);
    const offset = readPageToken(call);
    return reads.ofList(call, () => {
      const all = playlists.list({ owner: channelId });
      const end = offset + resultsPerPage;
      const items = all
        .slice(offset, end)
        .map((playlist) => playlistResource(playlist, title, entriesOf(playlist), parts));
      const next = end < all.length ? { nextPageToken: pageToken(end) } : {};
      return json(listResponse('playlist', items, { totalResults: all.length, resultsPerPage, ...next }));
    });
  }

  const entriesOf = ({ id }: Playlist) => playlistEntries.count({ owner: id });

  /** Adds a video at the end of a playlist, also one that the playlist has already. */
  function insert(call: Call): Answer {
    const user = gate.checkCall(call, playlistScopes);
    gate.charge('playlistItems.insert', call.at);
    const parts = requireParts(call, itemParts);
    const { snippet } = call.fields;
    if (!parts.includes('snippet') && snippet !== undefined) throw refusal('unexpectedPart');
    const { playlistId, resourceId } = isRecord(snippet) ? snippet : {};
    if (typeof playlistId !== 'string' || playlistId === '') throw refusal('playlistIdRequired');
    if (!isRecord(resourceId) || typeof resourceId['videoId'] !== 'string')
      throw refusal('resourceIdRequired');
    if (resourceId['kind'] !== 'youtube#video') throw refusal('invalidResourceType');
    const playlist = ownPlaylist(playlistId, user);
    const video = videos.get(resourceId['videoId']);
    if (video === undefined) throw refusal('videoToAddNotFound');
    const position = entriesOf(playlist);
    if (position >= mostEntries) throw refusal('playlistContainsMaximumNumberOfVideos');
    const entry: PlaylistEntry = {
      id: random.secret('UEw'),
      playlistId,
      videoId: video.id,
      addedAt: call.at,
    };
    ledger.transaction(() => {
      playlistEntries.put(entry.id, entry);
      storeVideo(video, call.at);
    });
    return json(playlistItemResource({ ...entry, video }, position, parts, call.at));
  }

  /** Removes one entry of an own playlist. https://developers.google.com/youtube/v3/docs/playlistItems/delete */
  function remove(call: Call): Answer {
    const { channelId } = gate.checkCall(call, playlistScopes);
    gate.charge('playlistItems.delete', call.at);
    const id = call.query.get('id');
    if (id === null) throw refusal('missingRequiredParameter', 'Missing parameter: id');
    const entry = playlistEntries.get(id);
    if (entry === undefined) throw refusal('playlistItemNotFound');
    if (playlists.get(entry.playlistId)?.channelId !== channelId) throw refusal('playlistItemsNotAccessible');
    ledger.transaction(() => {
      playlistEntries.delete(id);
      const video = videos.get(entry.videoId);
      if (video) storeVideo(video, call.at);
    });
    return { status: 204 };
  }

  function ownPlaylist(playlistId: string, { channelId }: User): Playlist {
    // Uploads, likes, history and "watch later".
    if (/^(UU|LL|HL|WL)/.test(playlistId)) throw refusal('playlistOperationUnsupported');
    const playlist = playlists.get(playlistId);
    if (playlist === undefined) throw refusal('playlistNotFound');
    if (playlist.channelId !== channelId) throw refusal('playlistItemsNotAccessible');
    return playlist;
  }

  const path = (name: string) => `www.googleapis.com/youtube/v3/${name}`;
  return [
    operation('playlists.list', 'GET', path('playlists'), list),
    operation('playlistItems.insert', 'POST', path('playlistItems'), insert),
    operation('playlistItems.delete', 'DELETE', path('playlistItems'), remove),
  ];
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
