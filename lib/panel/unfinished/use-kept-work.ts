import { useMe, useWorkspace } from '../workspace.tsx';
import { KeptWork, type WorkKind } from './kept-work.ts';

export const ofBrowser = (): Storage => localStorage;

/** The unfinished work of a kind that this browser keeps for the person in this workspace. @param kind the same object every time */
export function useKeptWork<Draft>(kind: WorkKind<Draft>): KeptWork<Draft> {
  const personId = useMe().person.id;
  const { id: workspaceId } = useWorkspace();
  return new KeptWork(ofBrowser, kind, { personId, workspaceId });
}
