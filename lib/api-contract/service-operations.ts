/** Operations on the service itself. */
import * as z from 'zod';
import { operation } from './operation.ts';

export const openApiOperation = operation({
  id: 'getOpenApiDocument',
  handler: 'openapi',
  method: 'GET',
  path: '/v1/openapi.json',
  summary: 'This document',
  description: 'OpenAPI 3.1, with the address of this deployment. Generators of client programs can read it.',
  access: 'rate-limited',
  replies: { 200: { description: 'OpenAPI 3.1', body: z.looseObject({ openapi: z.string() }) } },
  settings: ['PUBLIC_BASE_URL'],
});

export const healthOperation = operation({
  id: 'checkHealth',
  handler: 'health',
  method: 'GET',
  path: '/health',
  summary: 'Check that the service responds',
  description: 'Requires no key, and reads nothing: it says only that API Gateway and a function work.',
  access: 'public',
  replies: { 200: { description: 'It responds', body: z.object({ status: z.literal('ok') }) } },
});

export const docsOperation = operation({
  id: 'showDocs',
  handler: 'docs',
  method: 'GET',
  path: '/docs',
  summary: 'This document as a web page',
  access: 'public',
  replies: { 200: { description: 'A page', body: z.string(), bodyType: 'text/html' } },
});

export const llmsOperation = operation({
  id: 'getLlmsTxt',
  handler: 'docs',
  method: 'GET',
  path: '/llms.txt',
  summary: 'An overview for language models',
  description: 'In the form of https://llmstxt.org.',
  access: 'public',
  replies: { 200: { description: 'Markdown', body: z.string(), bodyType: 'text/plain' } },
});

export const docsAssetOperation = operation({
  id: 'getDocsAsset',
  handler: 'docs',
  method: 'GET',
  path: '/docs/assets/{file}',
  summary: 'A file that the page loads',
  description: "Each name contains a digest of the file's content, so caches may keep it indefinitely.",
  access: 'public',
  pathParameters: z.object({ file: z.string() }),
  replies: { 200: { description: 'A script or a style sheet', body: z.string(), bodyType: 'text/*' } },
  refusals: { 404: 'No such file' },
});

export const listErrorCodesOperation = operation({
  id: 'showErrorCodes',
  handler: 'docs',
  method: 'GET',
  path: '/docs/errors',
  summary: 'The list of all error codes as a web page',
  access: 'public',
  replies: { 200: { description: 'A page', body: z.string(), bodyType: 'text/html' } },
});

export const errorCodeOperation = operation({
  id: 'showErrorCode',
  handler: 'docs',
  method: 'GET',
  path: '/docs/errors/{code}',
  summary: 'The meaning of an error code and its remedy, as a web page',
  description: 'The `docUrl` of every error leads here.',
  access: 'public',
  pathParameters: z.object({ code: z.string() }),
  replies: {
    200: { description: 'A page', body: z.string(), bodyType: 'text/html' },
    404: { description: 'There is no such code: a page', body: z.string(), bodyType: 'text/html' },
  },
});
