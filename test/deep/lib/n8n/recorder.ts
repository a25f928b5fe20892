import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closed, type Json, validators } from '../../../support/document-schemas.ts';

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A server between n8n and the service, which keeps the requests. */
export interface Recorder {
  readonly url: string;
  readonly requests: readonly Recorded[];
  /** Lets the service handle the next request, and ends the connection without its reply. */
  loseNextReply(): void;
  /** Returns what requests have that an OpenAPI document does not. */
  undocumented(document: Json): string[];
  close(): void;
}

export async function startRecorder(target: string): Promise<Recorder> {
  const requests: Recorded[] = [];
  let losesReply = false;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    const { method = '', url = '', headers } = request;
    const { pathname, searchParams } = new URL(url, target);
    const body = bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
    requests.push({ method, path: pathname, query: searchParams, headers, body });
    const { host: _here, connection: _own, 'content-length': _counted, ...passed } = headers;
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: passed as Record<string, string>,
      ...(bytes.length > 0 && { body: bytes }),
    });
    const text = await answer.text();
    if (losesReply) {
      losesReply = false;
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    loseNextReply() {
      losesReply = true;
    },
    undocumented: (document) => requests.flatMap((request) => undocumentedIn(request, document)),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function undocumentedIn({ method, path, query, body }: Recorded, document: Json): string[] {
  const paths = document['paths'] as Record<string, Record<string, Json>>;
  const isSame = (template: string) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path) &&
    method.toLowerCase() in (paths[template] ?? {});
  // `/v1/posts/validate` is not `/v1/posts/{id}`.
  const template = Object.keys(paths).filter(isSame).sort().at(-1);
  const operation = template === undefined ? undefined : paths[template]?.[method.toLowerCase()];
  const what = `${method} ${path}`;
  if (template === undefined || operation === undefined) return [`${what} is not in the document`];
  const parameters = ((operation['parameters'] ?? []) as Json[]).map(({ name }) => name);
  return [
    ...[...query.keys()].filter((name) => !parameters.includes(name)).map((name) => `${what} ?${name}`),
    ...(body === undefined
      ? []
      : wrongIn(document, template, method, body).map((wrong) => `${what} ${wrong}`)),
  ];
}

function wrongIn(document: Json, template: string, method: string, body: unknown): string[] {
  const place = [
    'paths',
    template,
    method.toLowerCase(),
    'requestBody',
    'content',
    'application/json',
    'schema',
  ];
  return validators(closed(document) as Json)(place, body);
}
