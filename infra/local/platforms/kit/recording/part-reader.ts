/** A listener for the parts of a multipart body, in order. */
export interface PartListener {
  /** @param headers the names in lower case */
  head(headers: Readonly<Record<string, string>>): void;
  /** Bytes of the part whose head came last. */
  content(piece: Uint8Array): void;
}

/** The maximum size of a part's head. A longer one ends the reading: the body is malformed. */
const maxHeadBytes = 20_000;

/**
 * Splits a multipart body (RFC 2046, section 5.1) into its parts while it arrives. Keeps only the bytes that may belong to a
 * boundary. Never throws: it reports the parts of a malformed body that it recognizes.
 */
export function createPartReader(
  boundary: string,
  listener: PartListener,
): { write(piece: Uint8Array): void } {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first boundary has no line break before it.
  let held: Buffer = Buffer.from('\r\n');
  let state: 'preamble' | 'delimiter' | 'head' | 'content' | 'end' = 'preamble';

  /**
   * Reads one step further.
   *
   * @returns true if the state changed, so that there may be more to read
   */
  function step(): boolean {
    switch (state) {
      case 'preamble':
      case 'content': {
        const at = held.indexOf(delimiter);
        const sure = at >= 0 ? at : Math.max(0, held.length - delimiter.length + 1);
        if (state === 'content' && sure > 0) listener.content(held.subarray(0, sure));
        held = held.subarray(at >= 0 ? at + delimiter.length : sure);
        if (at < 0) return false;
        state = 'delimiter';
        return true;
      }
      case 'delimiter':
        if (held.length < 2) return false;
        state = held.subarray(0, 2).equals(Buffer.from('\r\n')) ? 'head' : 'end';
        return true;
      case 'head': {
        // The line break after the boundary is part of `held`, so a head without headers is found too.
        const at = held.indexOf('\r\n\r\n');
        if (at < 0) {
          if (held.length > maxHeadBytes) state = 'end';
          return false;
        }
        listener.head(parseHead(held.toString('utf8', 0, at)));
        held = held.subarray(at + 4);
        state = 'content';
        return true;
      }
      case 'end':
        held = Buffer.alloc(0);
        return false;
    }
  }

  return {
    write(piece) {
      if (state === 'end') return;
      held = Buffer.concat([held, piece]);
      while (step());
    },
  };
}

function parseHead(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
