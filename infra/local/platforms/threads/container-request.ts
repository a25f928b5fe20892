import type { Call } from '../kit/call.ts';
import { refuseParameter } from '../meta/graph-errors.ts';
import { booleanField, type Fields, jsonField, listField, textField } from '../meta/parameters.ts';
import type { Container, MediaType } from './state.ts';

export type ContainerRequest = Pick<
  Container,
  'mediaType' | 'isCarouselItem' | 'text' | 'children' | 'options' | 'replyToId' | 'imageUrl' | 'videoUrl'
>;

const limits = {
  text: 500,
  links: 5,
  altText: 1000,
  topicTag: 50,
  children: { min: 2, max: 20 },
  pollOption: 25,
  textEntities: 10,
  textAttachment: 10_000,
};

const replyControls = [
  'everyone',
  'accounts_you_follow',
  'mentioned_only',
  'parent_post_author_only',
  'followers_only',
];

/**
 * Reads and checks the parameters of `POST /<USER>/threads`.
 *
 * @param countsBytes true if every character counts by its bytes, not only emoji
 * @throws Refusal with Threads' error
 */
export function readContainerRequest(call: Call, countsBytes: boolean): ContainerRequest {
  const fields = formFields(call);
  const mediaType = readMediaType(fields);
  const isCarouselItem = booleanField(fields, 'is_carousel_item') ?? false;
  const [imageUrl, videoUrl] = [textField(fields, 'image_url'), textField(fields, 'video_url')];
  if (mediaType === 'IMAGE' && imageUrl === undefined)
    refuseParameter('The parameter image_url is required.');
  if (mediaType === 'VIDEO' && videoUrl === undefined)
    refuseParameter('The parameter video_url is required.');
  if (isCarouselItem && mediaType !== 'IMAGE' && mediaType !== 'VIDEO') {
    refuseParameter('A carousel takes images and videos only.');
  }
  const text = textField(fields, 'text') ?? '';
  const options = readOptions(fields, mediaType);
  if (mediaType === 'TEXT' && text === '') refuseParameter('The parameter text is required.');
  const length = countsBytes ? Buffer.byteLength(text) : countedLength(text);
  if (length > limits.text) refuseParameter('Param text must be at most 500 characters long.');
  checkLinks(text, options['link_attachment']);
  checkPoll(fields, mediaType);
  checkTextEntities(fields, text);
  checkAttachments(fields, mediaType);
  booleanField(fields, 'enable_reply_approvals');
  const hidesMedia = booleanField(fields, 'is_spoiler_media') === true;
  // "Spoilers for Threads carousel posts need to be provided during the carousel container creation phase."
  // https://developers.facebook.com/docs/threads/create-posts/spoilers
  if (hidesMedia && (mediaType === 'TEXT' || isCarouselItem)) {
    refuseParameter('Param is_spoiler_media is not supported for this container.');
  }
  const replyToId = textField(fields, 'reply_to_id');
  return {
    mediaType,
    isCarouselItem,
    text,
    options,
    children: mediaType === 'CAROUSEL' ? readChildren(fields) : [],
    ...(replyToId !== undefined && { replyToId }),
    ...(mediaType === 'IMAGE' && imageUrl !== undefined && { imageUrl }),
    ...(mediaType === 'VIDEO' && videoUrl !== undefined && { videoUrl }),
  };
}

/** Threads silently ignores the optional parameters of a JSON body. */
function formFields({ fields, headers }: Call): Fields {
  if (headers['content-type']?.startsWith('application/json') !== true) return fields;
  const kept = ['media_type', 'text', 'image_url', 'video_url', 'children', 'is_carousel_item'];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => kept.includes(name)));
}

function readMediaType(fields: Fields): MediaType {
  const type = textField(fields, 'media_type');
  const types: MediaType[] = ['TEXT', 'IMAGE', 'VIDEO', 'CAROUSEL'];
  return (
    types.find((known) => known === type) ??
    refuseParameter(`Param media_type must be one of {${types.join(', ')}}`)
  );
}

function readChildren(fields: Fields): readonly string[] {
  const children = listField(fields, 'children') ?? [];
  if (children.length < limits.children.min || children.length > limits.children.max) {
    refuseParameter('A carousel needs between 2 and 20 children.');
  }
  return children;
}

function readOptions(fields: Fields, mediaType: MediaType): Record<string, string> {
  const options: Record<string, string> = {};
  for (const name of [
    'topic_tag',
    'link_attachment',
    'reply_control',
    'alt_text',
    'is_spoiler_media',
    'quote_post_id',
    'enable_reply_approvals',
    'poll_attachment',
    'text_entities',
    'gif_attachment',
    'text_attachment',
    'is_ghost_post',
  ]) {
    const value = textField(fields, name);
    if (value !== undefined) options[name] = value;
  }
  const { topic_tag, link_attachment, reply_control, alt_text } = options;
  if (topic_tag !== undefined && (topic_tag.length > limits.topicTag || /[.&]/.test(topic_tag))) {
    refuseParameter('Param topic_tag is invalid.');
  }
  if (link_attachment !== undefined && mediaType !== 'TEXT') {
    refuseParameter('Param link_attachment is for text posts only.');
  }
  if (reply_control !== undefined && !replyControls.includes(reply_control)) {
    refuseParameter(`Param reply_control must be one of {${replyControls.join(', ')}}`);
  }
  if ((alt_text?.length ?? 0) > limits.altText)
    refuseParameter('Param alt_text must be at most 1000 characters.');
  if (fields['auto_publish_text'] !== undefined) refuseParameter('auto_publish_text is not served here.');
  return options;
}

/** Returns the length in characters, with the number of UTF-8 bytes for each emoji. */
function countedLength(text: string): number {
  let length = 0;
  for (const character of text) {
    length += /\p{Extended_Pictographic}/u.test(character) ? Buffer.byteLength(character) : 1;
  }
  return length;
}

function checkLinks(text: string, attachment: string | undefined): void {
  const links = new Set([...(text.match(/https?:\/\/[^\s]+/g) ?? []), ...(attachment ? [attachment] : [])]);
  if (links.size > limits.links) refuseParameter('THREADS_API__LINK_LIMIT_EXCEEDED');
}

/** Checks a poll. https://developers.facebook.com/docs/threads/create-posts/polls */
function checkPoll(fields: Fields, mediaType: MediaType): void {
  if (fields['poll_attachment'] === undefined) return;
  if (mediaType !== 'TEXT') refuseParameter('Param poll_attachment is for text posts only.');
  const poll = jsonField(fields, 'poll_attachment');
  if (typeof poll !== 'object' || poll === null) refuseParameter('Param poll_attachment must be an object.');
  const options = Object.entries(poll);
  const names = ['option_a', 'option_b', 'option_c', 'option_d'];
  const isGood = ([name, text]: [string, unknown], index: number) =>
    name === names[index] && typeof text === 'string' && text !== '' && [...text].length <= limits.pollOption;
  if (options.length < 2 || options.length > names.length || !options.every(isGood)) {
    refuseParameter('Param poll_attachment is invalid.');
  }
}

/**
 * Checks a GIF, a text attachment and a ghost post, which only texts have.
 * https://developers.facebook.com/documentation/threads/posts ("Topic Tags, Links, and GIFs"),
 * https://developers.facebook.com/documentation/threads/create-posts/text-attachments,
 * https://developers.facebook.com/documentation/threads/create-posts/ghost-posts
 */
function checkAttachments(fields: Fields, mediaType: MediaType): void {
  const names = ['gif_attachment', 'text_attachment', 'is_ghost_post'].filter(
    (name) => fields[name] !== undefined,
  );
  const [first] = names;
  if (first !== undefined && mediaType !== 'TEXT') refuseParameter(`Param ${first} is for text posts only.`);
  const { gif_id, provider } = fieldsIn(fields, 'gif_attachment');
  if (names.includes('gif_attachment') && (typeof gif_id !== 'string' || provider !== 'GIPHY'))
    refuseParameter('Param gif_attachment is invalid.');
  if (names.includes('text_attachment')) {
    const { plaintext, link_attachment_url } = fieldsIn(fields, 'text_attachment');
    if (typeof plaintext !== 'string' || plaintext === '' || [...plaintext].length > limits.textAttachment)
      refuseParameter('Param text_attachment is invalid.');
    if (fields['poll_attachment'] !== undefined)
      refuseParameter('A post with a poll has no text attachment.');
    if (link_attachment_url !== undefined && fields['link_attachment'] !== undefined)
      refuseParameter('There is already a link attachment in the main post.');
  }
  if (booleanField(fields, 'is_ghost_post') !== true) return;
  const others = [
    'link_attachment',
    'poll_attachment',
    'topic_tag',
    'reply_control',
    'quote_post_id',
    'reply_to_id',
  ];
  const unsupported = others.find((name) => fields[name] !== undefined);
  if (unsupported !== undefined) refuseParameter(`Param ${unsupported} is not supported with ghost posts.`);
}

/** Returns the members of a parameter that is a JSON object. */
function fieldsIn(fields: Fields, name: string): Record<string, unknown> {
  const value = fields[name] === undefined ? {} : jsonField(fields, name);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Checks text entities. https://developers.facebook.com/docs/threads/create-posts/spoilers */
function checkTextEntities(fields: Fields, text: string): void {
  if (fields['text_entities'] === undefined) return;
  const entities = jsonField(fields, 'text_entities');
  if (!Array.isArray(entities) || entities.length > limits.textEntities) {
    refuseParameter('Param text_entities must be an array of at most 10 entities.');
  }
  const isGood = (entity: unknown) => {
    if (typeof entity !== 'object' || entity === null) return false;
    const { entity_type, offset, length } = { ...entity } as Record<string, unknown>;
    if (typeof offset !== 'number' || typeof length !== 'number') return false;
    const isRange = Number.isInteger(offset) && Number.isInteger(length) && offset >= 0 && length >= 1;
    return ['SPOILER', 'spoiler'].includes(String(entity_type)) && isRange && offset + length <= text.length;
  };
  if (!entities.every(isGood)) refuseParameter('Param text_entities is invalid.');
}
