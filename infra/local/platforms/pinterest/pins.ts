import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { fetchMedia, liveMedia, type MeasuredMedia, mediaFetcher } from '../kit/media/media-intake.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { ownBoard, requireWritable } from './boards.ts';
import { refuse } from './errors.ts';
import type { Gate } from './gate.ts';
import { statusOf } from './media.ts';
import { type PinRequest, readPinRequest } from './pin-request.ts';
import { type Board, nextPinId, type Pin, type State } from './state.ts';

const mebibyte = 1024 * 1024;
const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];

interface PinMedia {
  readonly type: Pin['mediaType'];
  readonly files: readonly LiveMedia[];
  readonly cover?: LiveMedia;
}

/** Creates, reads and deletes Pins. */
export function pinOperations(workbench: Workbench, state: State, gate: Gate): Operation[] {
  const { ledger, reads, setting } = workbench;
  // Pinterest fetches images from public addresses during the call that creates the Pin.
  const fetcher = mediaFetcher(workbench, 'Pinterestbot/1.0 (+https://www.pinterest.com/bot.html)', 20);

  async function create(call: Call): Promise<Answer> {
    const scopes = ['boards:read', 'boards:write', 'pins:read', 'pins:write'];
    const token = gate.checkCall(call, 'write', scopes);
    if (setting('access') === 'trial' && !token.isSandbox) refuse('403/29/trial');
    const request = readPinRequest(call.fields);
    if (token.isSandbox && request.media_source.source_type === 'video_id') refuse('403/29/sandbox-video');
    const board = ownBoard(state, token, request.board_id);
    if (board.isAdsOnly) refuse('403/29');
    requireWritable(board, token);
    const sectionId = request.board_section_id ?? null;
    if (sectionId !== null && !board.sections.some(({ id }) => id === sectionId)) refuse('404/2031');
    const media = await resolveMedia(request.media_source, token.username, call.at);

    const id = nextPinId(ledger);
    const pin: Pin = {
      id,
      username: token.username,
      boardId: board.id,
      sectionId,
      title: request.title ?? null,
      description: request.description ?? null,
      link: request.link ?? null,
      altText: request.alt_text ?? null,
      dominantColor: request.dominant_color ?? null,
      mediaType: media.type,
      createdAt: call.at,
    };
    const { media_source, ...otherFields } = request;
    ledger.transaction(() => {
      state.pins.put(id, pin);
      ledger.posts.put(id, {
        id,
        accountId: state.users.get(token.username)?.id ?? '',
        permalink: `https://www.pinterest.com/pin/${id}/`,
        content: pin.description ?? '',
        media: media.files,
        ...(media.cover && { cover: media.cover }),
        details: { ...otherFields, media_source },
        publishedAt: call.at,
      });
    });
    return json(pinBody(pin, board), 201);
  }

  async function resolveMedia(
    source: PinRequest['media_source'],
    username: string,
    at: number,
  ): Promise<PinMedia> {
    switch (source.source_type) {
      case 'image_url':
        return { type: 'image', files: [liveMedia(await fetchImage(source.url))] };
      case 'multiple_image_urls': {
        const images = await Promise.all(source.items.map(({ url }) => fetchImage(url)));
        requireEqualSizes(images);
        return { type: 'multiple_images', files: images.map(liveMedia) };
      }
      case 'video_id': {
        const video = state.media.get(source.media_id);
        if (video === undefined || video.username !== username) return refuse('404/4134');
        if (statusOf(video, at) !== 'succeeded' || video.file === undefined) {
          return refuse('400/1', `Media ${video.id} is not ready to be used: ${statusOf(video, at)}`);
        }
        const { cover_image_url: url } = source;
        return {
          type: 'video',
          files: [video.file],
          ...(url !== undefined && { cover: liveMedia(await fetchImage(url)) }),
        };
      }
    }
  }

  async function fetchImage(url: string): Promise<MeasuredMedia> {
    const outcome = await fetchMedia(url, fetcher);
    if (!outcome.ok) return refuse('400/1/url');
    if (!isImage(outcome.media)) refuse('400/1/image');
    return outcome.media;
  }

  function get(call: Call): Answer {
    const token = gate.checkCall(call, 'read', ['boards:read', 'pins:read']);
    return reads.ofState(call, (seen) => {
      const pin = ownPin(seen, token.username);
      return json(pinBody(pin, ownBoard(state, token, pin.boardId)));
    });
  }

  function remove(call: Call): Answer {
    const token = gate.checkCall(call, 'write', ['boards:read', 'boards:write', 'pins:read', 'pins:write']);
    const pin = ownPin(call, token.username);
    state.pins.delete(pin.id);
    ledger.posts.delete(pin.id);
    return { status: 204 };
  }

  function ownPin({ params }: Call, username: string): Pin {
    const pin = state.pins.get(params['pinId'] ?? '');
    if (pin === undefined || pin.username !== username) return refuse('404/50');
    return pin;
  }

  return [
    operation('pins.create', 'POST', 'api.pinterest.com/v5/pins', create),
    operation('pins.get', 'GET', 'api.pinterest.com/v5/pins/:pinId', get),
    operation('pins.delete', 'DELETE', 'api.pinterest.com/v5/pins/:pinId', remove),
  ];
}

/**
 * Requires images of equal size: those of a carousel "must be the same dimension". The size of a PNG is not read here. The text
 * of the refusal is ours. https://www.ayrshare.com/docs/media-guidelines/pinterest
 */
function requireEqualSizes(images: readonly MeasuredMedia[]): void {
  const sizes = images.flatMap(({ jpeg }) => (jpeg ? [`${jpeg.width}x${jpeg.height}`] : []));
  if (new Set(sizes).size > 1) refuse('400/1/sizes');
}

function isImage({ type, bytes, jpeg, isCutImage }: MeasuredMedia): boolean {
  if (!imageTypes.includes(type) || bytes > 20 * mebibyte || isCutImage) return false;
  return type !== 'image/jpeg' || jpeg !== undefined;
}

export function pinBody(pin: Pin, board: Board) {
  return {
    id: pin.id,
    // Pinterest's times are in UTC, without a time zone.
    created_at: new Date(pin.createdAt).toISOString().slice(0, 19),
    link: pin.link,
    title: pin.title,
    description: pin.description,
    alt_text: pin.altText,
    dominant_color: pin.dominantColor ?? '#6e7874',
    board_id: pin.boardId,
    board_section_id: pin.sectionId,
    board_owner: { username: board.username },
    creative_type: 'REGULAR',
    is_owner: true,
    is_standard: true,
    media: { media_type: pin.mediaType },
  };
}
