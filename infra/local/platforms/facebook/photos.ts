import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { type FetchOutcome, fetchMedia } from '../kit/media/media-intake.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { booleanField, textField } from '../meta/parameters.ts';
import { fetcherOf } from '../meta/platform.ts';
import { refuse } from './errors.ts';
import type { Graph } from './graph.ts';
import type { Publishing } from './publishing.ts';
import type { PageSession } from './sessions.ts';
import { nextId, type Photo, type State } from './state.ts';

/** Uploads photos, published or for use in a later post or story, and publishes photo stories. */
export function photoOperations(
  graph: Graph,
  workbench: Workbench,
  state: State,
  publishing: Publishing,
): Operation[] {
  async function upload(call: Call, { page }: PageSession): Promise<Answer> {
    const url = textField(call.fields, 'url');
    if (url === undefined) refuse('324');
    const isPublished = booleanField(call.fields, 'published') ?? true;
    const outcome = await fetchMedia(url, fetcherOf(workbench));
    const media = requirePhoto(outcome, Number(workbench.setting('largestPhotoBytes')));
    const id = nextId(workbench.ledger, 'photo');
    const altText = textField(call.fields, 'alt_text_custom');
    const photo = { id, pageId: page.id, media, createdAt: call.at };
    state.photos.put(id, { ...photo, ...(altText !== undefined && { altText }) });
    if (!isPublished) return json({ id });
    const message = textField(call.fields, 'message') ?? '';
    const post = publishing.feedPost(page, { message, photoIds: [id], isDraft: false }, call.at);
    return json({ id, post_id: post.id });
  }

  function story(call: Call, { page }: PageSession): Answer {
    const photo = ownPhoto(workbench, state, page.id, textField(call.fields, 'photo_id') ?? '');
    const post = publishing.story(page, { photoIds: [photo.id], media: photo.media }, call.at);
    return json({ success: true, post_id: post.id });
  }

  return [
    graph.page('photos', 'POST', ':pageId/photos', 'pages_manage_posts', upload),
    graph.page('photo_stories', 'POST', ':pageId/photo_stories', 'pages_manage_posts', story),
  ];
}

/** Finds a photo of the Page that no post uses yet. @throws Refusal 100/33 if there is none, 100/1366051 if it is in use */
export function ownPhoto({ setting }: Workbench, state: State, pageId: string, id: string): Photo {
  const photo = state.photos.get(id);
  if (photo === undefined || photo.pageId !== pageId) return refuse('100/33');
  if (photo.usedBy !== undefined && setting('duplicateCheck') === true) refuse('100/1366051');
  return photo;
}

/** https://developers.facebook.com/docs/graph-api/reference/page/photos: "We support .jpeg, .bmp, .png, .gif, .tiff". */
const photoTypes = ['image/jpeg', 'image/bmp', 'image/png', 'image/gif', 'image/tiff'];

function requirePhoto(outcome: FetchOutcome, largestBytes: number): LiveMedia {
  if (!outcome.ok) return refuse('100/1366046');
  const { type, bytes, sha256, jpeg, isCutImage } = outcome.media;
  if (!photoTypes.includes(type)) refuse('324');
  const isUnreadable = (type === 'image/jpeg' && jpeg === undefined) || isCutImage === true;
  if (bytes > largestBytes || isUnreadable) refuse('100/1366046');
  return { type, bytes, sha256 };
}
