import { Platform, platformTitles } from '../platforms/contract/names.ts';

/** The scope of a pause: a platform for the whole stage, an account, or a workspace. */
export type PauseScope =
  | { readonly kind: 'platform'; readonly platform: Platform }
  | { readonly kind: 'account'; readonly workspaceId: string; readonly accountId: string }
  | { readonly kind: 'workspace'; readonly workspaceId: string };

/** Returns a scope as text, which is stored and is part of keys. A scope has only one text. */
export function scopeText(scope: PauseScope): string {
  switch (scope.kind) {
    case 'platform':
      return `platform#${scope.platform}`;
    case 'account':
      return `account#${scope.workspaceId}#${scope.accountId}`;
    case 'workspace':
      return `workspace#${scope.workspaceId}`;
  }
}

/** @throws Error if the text is not one that `scopeText` returns */
export function scopeFromText(text: string): PauseScope {
  const [kind, first = '', second = ''] = text.split('#');
  switch (kind) {
    case 'platform':
      return { kind, platform: Platform.parse(first) };
    case 'account':
      return { kind, workspaceId: first, accountId: second };
    case 'workspace':
      return { kind, workspaceId: first };
    default:
      throw new Error(`no scope of a pause: ${text}`);
  }
}

/** Returns the text for users about work that waits for a pause. */
export function pausedText({ scope, reason }: { readonly scope: string; readonly reason: string }): string {
  return `${subjectOf(scopeFromText(scope))} is paused: ${reason}`;
}

function subjectOf(scope: PauseScope): string {
  switch (scope.kind) {
    case 'platform':
      return `publishing to ${platformTitles[scope.platform]}`;
    case 'account':
      return 'publishing to this account';
    case 'workspace':
      return 'publishing of this workspace';
  }
}
