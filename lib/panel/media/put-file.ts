/** What the storage answered instead of taking the file; status 0 if the connection broke off. */
export class PutError extends Error {
  override readonly name = 'PutError';
  readonly status: number;
  constructor(status: number) {
    super(`the storage answered ${status}`);
    this.status = status;
  }
}

/** Nothing is sent for this long: the connection is dead, although nobody has said so. */
const stalledMs = 60_000;

interface Put {
  readonly url: string;
  readonly file: Blob;
  readonly contentType: string;
  readonly signal: AbortSignal;
  /** With the bytes that the connection has taken. */
  readonly onProgress: (sentBytes: number) => void;
}

/**
 * Sends a file straight to the storage. It is a request of the old kind, since `fetch` does not say how far it is.
 *
 * @throws PutError if the storage did not take it; the signal's reason if it was aborted
 */
export function putFile({ url, file, contentType, signal, onProgress }: Put): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let stalled = setTimeout(() => request.abort(), stalledMs);
    const abort = () => request.abort();
    signal.addEventListener('abort', abort, { once: true });
    request.upload.onprogress = ({ loaded }) => {
      clearTimeout(stalled);
      stalled = setTimeout(abort, stalledMs);
      onProgress(loaded);
    };
    request.onloadend = () => {
      clearTimeout(stalled);
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(signal.reason);
      else if (request.status >= 200 && request.status < 300) resolve();
      else reject(new PutError(request.status));
    };
    request.open('PUT', url);
    request.setRequestHeader('content-type', contentType);
    request.send(file);
    if (signal.aborted) abort();
  });
}
