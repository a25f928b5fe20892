import { ids } from './things.ts';

const tag = { name: 'Winter', color: 'blue' } as const;

const snippet = {
  id: ids.snippet,
  kind: 'text',
  name: 'Opening hours',
  content: 'Warm from seven, at North Street {{number}}.',
  variables: ['number'],
  createdAt: '2026-01-12T10:02:11.409Z',
  updatedAt: '2026-01-12T10:02:11.409Z',
} as const;
const { kind, name, content } = snippet;
const longer = 'Warm from seven until three, at North Street {{number}}.';

export const examples = {
  listTags: {
    responses: { 200: { tags: [{ name: 'Spring', color: 'amber' }, tag], nextCursor: null } },
  },
  updateTag: {
    request: { name: 'Winter 2026' },
    responses: { 200: { tag: { ...tag, name: 'Winter 2026' }, warnings: [] } },
  },
  deleteTag: { responses: { 200: { ok: true } } },
  listSnippets: { responses: { 200: { snippets: [snippet], nextCursor: null } } },
  createSnippet: { request: { kind, name, content }, responses: { 201: { snippet, warnings: [] } } },
  getSnippet: { responses: { 200: { snippet } } },
  updateSnippet: {
    request: { content: longer },
    responses: {
      200: {
        snippet: { ...snippet, content: longer, updatedAt: '2026-02-03T15:40:00.102Z' },
        warnings: [],
      },
    },
  },
  deleteSnippet: { responses: { 200: { ok: true } } },
} as const;
