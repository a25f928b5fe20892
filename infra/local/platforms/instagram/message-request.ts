import type { Fields } from '../meta/parameters.ts';
import { refuseParameter } from './errors.ts';
import type { Button } from './state.ts';

/** The parameters of `POST /<IG_ID>/messages`. */
export interface MessageRequest {
  readonly recipient: { readonly id: string; readonly commentId?: never } | { readonly commentId: string };
  readonly text: string;
  readonly buttons: readonly Button[];
}

const limits = { textBytes: 1000, templateText: 640, buttons: 3, title: 20, payload: 1000 };

/** Reads and checks the body. Nested JSON must not be sent as text. @throws Refusal with Instagram's error */
export function readMessageRequest(fields: Fields): MessageRequest {
  const recipient = readRecipient(fields['recipient']);
  const message = fields['message'];
  if (!isRecord(message)) return refuseParameter('The parameter message is required.');
  const { text, attachment } = message;
  if ((text === undefined) === (attachment === undefined)) {
    refuseParameter('Exactly one of text and attachment is required.');
  }
  if (attachment !== undefined) return { recipient, ...readTemplate(attachment) };
  if (typeof text !== 'string' || text.trim() === '')
    return refuseParameter('Param text must be a non-empty string.');
  if (Buffer.byteLength(text) > limits.textBytes) {
    refuseParameter(`Length of param message[text] must be less than or equal to ${limits.textBytes}`);
  }
  return { recipient, text, buttons: [] };
}

function readRecipient(recipient: unknown): MessageRequest['recipient'] {
  if (!isRecord(recipient)) return refuseParameter('The parameter recipient is required.');
  const { id, comment_id: commentId } = recipient;
  if (typeof commentId === 'string' && id === undefined) return { commentId };
  if (typeof id === 'string' && commentId === undefined) return { id };
  return refuseParameter('Param recipient must have exactly one of id and comment_id.');
}

function readTemplate(attachment: unknown): Pick<MessageRequest, 'text' | 'buttons'> {
  const payload =
    isRecord(attachment) && attachment['type'] === 'template' ? attachment['payload'] : undefined;
  if (!isRecord(payload) || payload['template_type'] !== 'button') {
    return refuseParameter('Param attachment must be a button template.');
  }
  const { text, buttons } = payload;
  if (typeof text !== 'string' || text === '' || [...text].length > limits.templateText) {
    return refuseParameter(`Length of param text must be between 1 and ${limits.templateText}`);
  }
  if (!Array.isArray(buttons) || buttons.length < 1 || buttons.length > limits.buttons) {
    return refuseParameter(`Param buttons must have 1 to ${limits.buttons} elements.`);
  }
  return { text, buttons: buttons.map(readButton) };
}

function readButton(button: unknown): Button {
  const { type, title, url, payload } = isRecord(button) ? button : {};
  if (typeof title !== 'string' || title === '' || [...title].length > limits.title) {
    return refuseParameter(`Length of param title must be between 1 and ${limits.title}`);
  }
  if (type === 'web_url' && typeof url === 'string' && isWebAddress(url)) return { type, title, url };
  const isPayload = typeof payload === 'string' && payload !== '' && [...payload].length <= limits.payload;
  if (type === 'postback' && isPayload) return { type, title, payload };
  return refuseParameter('Param buttons must be web_url with a URL, or postback with a payload.');
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
