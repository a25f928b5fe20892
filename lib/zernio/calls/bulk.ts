import { listAccountsOperation } from '../../accounts/operations.ts';
import { invalidField } from '../../kernel/errors.ts';
import { createPostsOperation } from '../../posts/bulk/operations.ts';
import { readWorkspaceOperation } from '../../workspaces/operations.ts';
import { ok, type ZernioCall, type ZernioRequest } from '../call.ts';
import { toPostBody } from '../posts.ts';

export const bulkUpload: ZernioCall = {
  name: 'bulkUploadPosts',
  route: 'POST /v1/posts/bulk-upload',
  operations: [listAccountsOperation, readWorkspaceOperation, createPostsOperation],
  run: async ({ call, workspaceId }, request) => {
    // Only this call needs a parser of tables.
    const { bodyOf, columnOf, readTable } = await import('../csv.ts');
    const { rows, unknown } = readTable(await fileIn(request));
    const [{ accounts }, { workspace }] = await Promise.all([
      call(listAccountsOperation, {}),
      call(readWorkspaceOperation, {}),
    ]);
    const context = { accounts, workspaceId, profiles: [workspaceId, workspace.name, 'Default'] };
    const read = rows.map((row) => bodyOf(row, context));
    // A wrong row keeps its place: the key of a post in a repeated request is the request's key with the place.
    const posts = read.map((row) => ('body' in row ? toPostBody({ ...row.body }, workspaceId) : null));
    const dryRun = request.query['dryRun'] === 'true';
    const { results } = posts.every((post) => post === null)
      ? { results: [] }
      : await call(createPostsOperation, {
          body: { posts, dryRun },
          idempotencyKey: request.idempotencyKey,
        });
    const shown = read.map((row, rowIndex) => {
      if ('errors' in row) return { rowIndex, ok: false, errors: [...row.errors] };
      const result = results[rowIndex];
      const isOk =
        result?.status === 'created' || result?.status === 'replayed' || result?.status === 'valid';
      if (isOk)
        return { rowIndex, ok: true, ...(result.postId !== null && { createdPostId: result.postId }) };
      const column = columnOf(row.body);
      const problems = result?.problems.map(
        ({ message, field }) => `${column(field.replace(/^posts\[\d+\]\./, ''))}: ${message}`,
      );
      const errors = problems && problems.length > 0 ? problems : [result?.error?.error ?? 'was not created'];
      return { rowIndex, ok: false, errors };
    });
    const valid = shown.filter((each) => each.ok).length;
    return ok({
      total: shown.length,
      valid,
      invalid: shown.length - valid,
      results: shown,
      ...(unknown.length > 0 && { warnings: [`unknown_columns:${unknown.join(',')}`] }),
    });
  },
};

/** Returns the bytes of the file. @throws HeraldError `field_required` */
async function fileIn({ raw: { bytes, contentType } }: ZernioRequest): Promise<Uint8Array> {
  const missing = () =>
    invalidField('file', 'must be a file of a form (multipart/form-data)', 'field_required');
  if (!contentType.startsWith('multipart/form-data')) throw missing();
  const form = await new Response(Buffer.from(bytes), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => undefined);
  const file = form?.get('file');
  if (typeof file === 'string') return Buffer.from(file);
  if (!file) throw missing();
  return new Uint8Array(await file.arrayBuffer());
}
