import { openApiDocument } from '../../../lib/api-contract/openapi/document.ts';
import { deployedOperations, panelOperations } from '../../../lib/operations.ts';
import { zernioOperations } from '../../../lib/zernio/operations.ts';
import { closed, type Json, validators } from '../../support/document-schemas.ts';

interface DocumentedAnswer {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<Record<string, DocumentedAnswer | { readonly $ref: string }>>;
}

export interface GivenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Validates the service's behaviour against its own OpenAPI document, and the routes that it leaves out against their
 * declarations. Each check returns the problems it found.
 */
export interface ApiDocument {
  readonly operationIds: readonly string[];
  readonly eventTypes: readonly string[];
  problemsOfAnswer(operationId: string, answer: GivenAnswer): string[];
  /** @param body before it is serialized as JSON */
  problemsOfBody(operationId: string, body: unknown): string[];
  problemsOfEvent(event: {
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: string;
  }): string[];
}

/** Documented headers that not every response with the same status has. */
const sometimes = new Set(['Retry-After']);

export async function readDocument({ apiUrl }: { readonly apiUrl: string }): Promise<ApiDocument> {
  const served = (await (await fetch(`${apiUrl}/v1/openapi.json`)).json()) as Json;
  const document = withRoutesLeftOut(served);
  const operations = new Map(
    Object.entries(document['paths'] as Record<string, Record<string, DocumentedOperation>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(
          ([method, operation]) =>
            [operation.operationId, { operation, at: ['paths', path, method] }] as const,
        ),
    ),
  );
  const webhooks = document['webhooks'] as Record<string, { post: DocumentedOperation }>;
  const sent = validators(document);
  // Responses and events must not contain undocumented fields.
  const answered = validators(closed(document) as Json);

  const { description: introduction } = document['info'] as { readonly description: string };
  const isInIntroduction = (status: number) =>
    introduction.includes('They have the shape `{ message }`') && introduction.includes(`${status}`);
  const named = (operationId: string) => {
    const found = operations.get(operationId);
    if (!found) throw new Error(`the document has no operation ${operationId}`);
    return found;
  };

  return {
    operationIds: [...operations.keys()],
    eventTypes: Object.keys(webhooks),
    problemsOfAnswer(operationId, { status, headers, text }) {
      const { operation, at } = named(operationId);
      if (isByGateway(text))
        return isInIntroduction(status) ? [] : [`${status} by API Gateway is not documented`];
      const given = operation.responses[status];
      if (!given) return [`${status} is not documented`];
      const refersTo = '$ref' in given ? given.$ref.slice(2).split('/') : undefined;
      const place = refersTo ?? [...at, 'responses', String(status)];
      const answer = (refersTo ? follow(document, refersTo) : given) as DocumentedAnswer;
      const absent = Object.keys(answer.headers ?? {})
        .filter((name) => !headers.has(name) && !sometimes.has(name))
        .map((name) => `the header ${name} is absent`);
      const types = Object.keys(answer.content ?? {});
      const [first = ''] = types;
      // Some responses have several types, of which the request chooses one.
      const type = types.find((each) => matchesType(each, headers.get('content-type') ?? '')) ?? first;
      if (type === '') return [...absent, ...(text === '' ? [] : [`a body that is not documented: ${text}`])];
      if (!matchesType(type, headers.get('content-type') ?? '')) {
        return [...absent, `${headers.get('content-type')} instead of ${type}`];
      }
      const body = type === 'application/json' ? JSON.parse(text) : text;
      return [...absent, ...answered([...place, 'content', type, 'schema'], body)];
    },
    problemsOfBody(operationId, body) {
      const { operation, at } = named(operationId);
      const [type] = Object.keys(operation.requestBody?.content ?? {});
      if (type === undefined) return ['a body is not documented'];
      return sent([...at, 'requestBody', 'content', type, 'schema'], body);
    },
    problemsOfEvent({ headers, body }) {
      const event = JSON.parse(body) as { type: string };
      const { post } = webhooks[event.type] ?? {};
      if (!post) return [`the event ${event.type} is not documented`];
      const at = ['webhooks', event.type, 'post'];
      const ofHeaders = (post.parameters ?? []).flatMap(({ name }, index) =>
        sent([...at, 'parameters', String(index), 'schema'], headers[name.toLowerCase()]),
      );
      return [
        ...ofHeaders,
        ...answered([...at, 'requestBody', 'content', 'application/json', 'schema'], event),
      ];
    },
  };
}

/**
 * Adds the routes that are deployed but not documented, rendered by the same code from their declarations. Messages of agents are
 * described by the Model Context Protocol instead, and replies to users of Zernio by the types of Zernio's SDK.
 */
function withRoutesLeftOut(served: Json): Json {
  const described = deployedOperations.filter(
    (each) => ![...panelOperations, ...zernioOperations].includes(each) && each.access !== 'agent',
  );
  const whole = JSON.parse(JSON.stringify(openApiDocument({ operations: described }))) as Json;
  const components = Object.entries(whole['components'] as Record<string, Json>).map(([kind, named]) => [
    kind,
    { ...named, ...(served['components'] as Record<string, Json>)[kind] },
  ]);
  return {
    ...served,
    paths: { ...(whole['paths'] as Json), ...(served['paths'] as Json) },
    components: Object.fromEntries(components),
  };
}

const follow = (document: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>((node, step) => (node as Json | undefined)?.[step], document);

const isByGateway = (text: string) => /^\{"message":"[^"]*"\}$/.test(text);

const matchesType = (documented: string, given: string) =>
  documented.endsWith('/*') ? given.startsWith(documented.slice(0, -1)) : given.split(';')[0] === documented;
