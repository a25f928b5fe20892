import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FileBody } from '../media/partial-files.ts';
import { createPartReader } from './part-reader.ts';

/** Text in full, or the size and the digest of anything else. */
export type RecordedContent =
  | { readonly text: string }
  | {
      readonly bytes: number;
      /** SHA-256 in hexadecimal. */
      readonly sha256: string;
    };

/** One part of a `multipart/*` body. */
export type RecordedPart = RecordedContent & {
  readonly name?: string;
  readonly filename?: string;
  readonly type?: string;
};

/** The body of a request as it arrived. */
export type RecordedBody = (RecordedContent | { readonly parts: readonly RecordedPart[] }) & {
  /** Absent if the whole body arrived. A refusal may come before that. */
  readonly isComplete?: false;
};

/** Records the body of a request while it arrives. */
export interface BodyRecorder {
  /** The same body, to be read. */
  readonly body: Uint8Array | Readable;
  /** Returns the part that has arrived so far; undefined if there is no body. */
  recorded(): RecordedBody | undefined;
}

/**
 * The maximum size of recorded text; longer text is recorded as bytes. Operations never read longer text (`readText` in
 * `../body.ts`).
 */
export const maxTextBytes = 1024 * 1024;

/**
 * Records a body.
 *
 * @param body the body of a request with these headers
 */
export function recordBody(
  headers: IncomingHttpHeaders,
  body: Uint8Array | FileBody = new Uint8Array(),
): BodyRecorder {
  const type = headers['content-type'] ?? '';
  const boundary = /^multipart\/.*\bboundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type)?.slice(1).find(Boolean);
  const recording =
    boundary === undefined ? recordContent(isText(type)) : recordParts(boundary, isFormData(type));
  const announced = headers['transfer-encoding'] ?? (Number(headers['content-length'] ?? 0) || undefined);
  let hasBytes = announced !== undefined;
  let isComplete = false;
  const note = (piece: Uint8Array) => {
    hasBytes ||= piece.length > 0;
    recording.write(piece);
  };
  const end = () => {
    isComplete = true;
  };
  let observed: Uint8Array | Readable;
  if (body instanceof Uint8Array) {
    observed = body;
    note(body);
    end();
  } else {
    observed = body instanceof Readable ? body : Readable.from(body);
    observe(observed, note, end);
  }
  return {
    body: observed,
    recorded: () =>
      hasBytes ? { ...recording.result(), ...(!isComplete && { isComplete: false }) } : undefined,
  };
}

/**
 * Records the pieces of a stream as they arrive in it. The stream stays the same object: a wrapper would change what happens to
 * the connection when a handler stops reading.
 */
function observe(stream: Readable, note: (piece: Uint8Array) => void, onEnd: () => void): void {
  const push = stream.push.bind(stream);
  stream.push = (piece, encoding) => {
    if (piece === null) onEnd();
    else note(piece);
    return push(piece, encoding);
  };
}

interface Recording<Result> {
  write(piece: Uint8Array): void;
  result(): Result;
}

function recordContent(canBeText: boolean): Recording<RecordedContent> {
  const hash = createHash('sha256');
  // Text is kept whole; the digest is needed only if the content turns out not to be text.
  let kept: Uint8Array[] | undefined = canBeText ? [] : undefined;
  let bytes = 0;
  return {
    write(piece) {
      bytes += piece.length;
      if (kept === undefined) return void hash.update(piece);
      kept.push(piece);
      if (bytes <= maxTextBytes) return;
      for (const one of kept) hash.update(one);
      kept = undefined;
    },
    result() {
      const text = kept && decode(Buffer.concat(kept));
      if (text !== undefined) return { text };
      const whole = hash.copy();
      for (const one of kept ?? []) whole.update(one);
      return { bytes, sha256: whole.digest('hex') };
    },
  };
}

function recordParts(boundary: string, isForm: boolean): Recording<{ readonly parts: RecordedPart[] }> {
  const parts: { readonly head: Omit<RecordedPart, 'text'>; readonly content: Recording<RecordedContent> }[] =
    [];
  const reader = createPartReader(boundary, {
    head(headers) {
      const disposition = headers['content-disposition'] ?? '';
      const name = parameter(disposition, 'name');
      const filename = parameter(disposition, 'filename');
      const type = headers['content-type'];
      // A field of a form is text if it has no type (RFC 7578, section 4.4).
      const canBeText = filename === undefined && (type === undefined ? isForm : isText(type));
      const head = {
        ...(name !== undefined && { name }),
        ...(filename !== undefined && { filename }),
        ...(type !== undefined && { type }),
      };
      parts.push({ head, content: recordContent(canBeText) });
    },
    content: (piece) => parts.at(-1)?.content.write(piece),
  });
  return {
    write: reader.write,
    result: () => ({ parts: parts.map(({ head, content }) => ({ ...head, ...content.result() })) }),
  };
}

/**
 * Returns true for a text type.
 *
 * @param type a `Content-Type`
 */
function isText(type: string): boolean {
  return /^(text\/|application\/(json|xml|x-www-form-urlencoded)\b|[^;]*\+(json|xml)\b)/i.test(type);
}

function isFormData(type: string): boolean {
  return /^multipart\/form-data\b/i.test(type);
}

/** Returns the text of UTF-8 bytes; undefined for other bytes. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Returns a parameter of a `Content-Disposition`. */
function parameter(disposition: string, name: string): string | undefined {
  return new RegExp(`[;\\s]${name}="([^"]*)"`, 'i').exec(disposition)?.[1];
}
