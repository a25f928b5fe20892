/** The described platforms, and what their guides say beyond the machine-readable descriptions. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DescribedOperation, PlatformDescription, Schema } from './described-operation.ts';
import {
  type Discovery,
  type DiscoveryMethod,
  operationsOf as discoveryOperations,
  schemasOf as discoverySchemas,
  methodOperation,
  methodsOf,
} from './discovery.ts';
import { type OpenApi, operationsOf, schemasOf } from './openapi.ts';

const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));

/** Returns the description of a platform, if it publishes one. */
export function descriptionOf(platform: string): PlatformDescription | undefined {
  if (platform === 'pinterest') return pinterest();
  return platform === 'youtube' ? youtube() : undefined;
}

function pinterest(): PlatformDescription {
  const document: OpenApi = read('pinterest-openapi.json');
  // The sandbox has the same paths. https://developers.pinterest.com/docs/developer-tools/sandbox/
  const hosts = ['api.pinterest.com', 'api-sandbox.pinterest.com'];
  return {
    platform: 'pinterest',
    operations: operationsOf(document, { hosts, path: '/v5' }),
    schemas: schemasOf(document),
    otherHosts: {
      'www.pinterest.com': 'the page on which a person consents',
      'pinterest-media-upload.s3-accelerate.amazonaws.com':
        'uploads to S3: the registration names every field',
    },
    otherFields: [
      {
        operation: 'oauth/token',
        in: 'request',
        field: '/continuous_refresh',
        source:
          'the text of the operation: apps created before 25 September 2025 "set the continuous_refresh parameter to true"',
      },
      {
        operation: 'pins/create',
        in: 'request',
        field: '/ai_disclosures',
        source:
          'PinCreate in SDKs of August 2026, generated from a newer description than the last that Pinterest has put into its public repository',
      },
    ],
  };
}

/** An error of a Google API. https://developers.google.com/youtube/v3/docs/errors */
const googleError: Schema = {
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'errors'],
      additionalProperties: false,
      properties: {
        code: { type: 'integer', minimum: 400, maximum: 599 },
        message: { type: 'string' },
        status: { type: 'string', pattern: '^[A-Z_]+$' },
        errors: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['message', 'domain', 'reason'],
            additionalProperties: false,
            properties: {
              message: { type: 'string' },
              domain: { type: 'string' },
              reason: { type: 'string' },
              location: { type: 'string' },
              locationType: { type: 'string' },
            },
          },
        },
      },
    },
  },
};

function youtube(): PlatformDescription {
  const document: Discovery = read('youtube-discovery.json');
  const guides = {
    // The document names only the first; the guides and the reference name the second.
    // https://developers.google.com/youtube/v3/docs/videos/list
    hosts: ['youtube.googleapis.com', 'www.googleapis.com'],
    error: googleError,
  };
  const ofMethod = (id: string) => {
    const method = methodsOf(document).find((one) => one.id === id);
    if (method === undefined) throw new Error(`the discovery document lacks ${id}`);
    return [method, methodOperation(document, method, guides)] as const;
  };
  const isUpload = ({ mediaUpload }: DiscoveryMethod) => mediaUpload !== undefined;
  const uploads = methodsOf(document)
    .filter(isUpload)
    .map(({ id }) => id);
  return {
    platform: 'youtube',
    operations: [
      ...discoveryOperations(document, guides).filter(({ id }) => !uploads.includes(id)),
      ...resumableUpload(...ofMethod('youtube.videos.insert')),
      simpleUpload(...ofMethod('youtube.thumbnails.set')),
      multipartUpload(...ofMethod('youtube.captions.insert')),
    ],
    schemas: discoverySchemas(document),
    otherHosts: {
      'accounts.google.com': 'the page on which a person consents',
      'youtubeanalytics.googleapis.com': 'reports, which a discovery document of their own describes',
      'oauth2.googleapis.com': 'tokens: OAuth 2.0 (RFC 6749), which no discovery document describes',
    },
    otherFields: [],
  };
}

/** Describes an upload with the file as the body. */
function simpleUpload(
  { mediaUpload }: DiscoveryMethod,
  { request: _, ...operation }: DescribedOperation,
): DescribedOperation {
  return {
    ...operation,
    path: mediaUpload?.protocols['simple']?.path ?? '',
    request: { isRequired: true, types: mediaUpload?.accept ?? [] },
  };
}

/**
 * Describes an upload with metadata and file in one request, at the path of a simple one.
 * https://developers.google.com/youtube/v3/docs/captions/insert
 */
function multipartUpload(
  { mediaUpload }: DiscoveryMethod,
  operation: DescribedOperation,
): DescribedOperation {
  const path = mediaUpload?.protocols['simple']?.path ?? '';
  const { request } = operation;
  return { ...operation, path, ...(request && { request: { ...request, types: ['multipart/related'] } }) };
}

/**
 * Describes the two requests of a resumable upload, at the path of a simple one.
 * https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol
 */
function resumableUpload(
  { mediaUpload }: DiscoveryMethod,
  operation: DescribedOperation,
): readonly DescribedOperation[] {
  const path = mediaUpload?.protocols['simple']?.path ?? '';
  const { further, request: _, ...withoutBody } = operation;
  const uploadId = {
    name: 'upload_id',
    in: 'query',
    isRequired: true,
    isRepeated: false,
    schema: { type: 'string' },
    type: 'string',
  } as const;
  return [
    // The response has the address of the session in a header, and no body.
    {
      ...operation,
      id: `${operation.id} (start of a session)`,
      path,
      responses: { 200: null, default: googleError },
    },
    // A 308 says in a header which bytes have arrived.
    {
      ...withoutBody,
      id: `${operation.id} (bytes of the file)`,
      method: 'PUT',
      path,
      parameters: [...operation.parameters, uploadId],
      request: { isRequired: false, types: ['*/*'] },
      responses: { ...operation.responses, 201: operation.responses['200'] ?? null, 308: null },
      ...(further && { further }),
    },
  ];
}
