import { createStore } from './store.ts';
import { read, write } from './stored.ts';

const name = 'workspace';
const ofTab = () => sessionStorage;
const lastUsed = () => localStorage;

const chosen = createStore(read(ofTab, name) ?? read(lastUsed, name));

/**
 * The workspace that this tab shows. Each tab keeps its own; a new one begins with the workspace used last. Paths do not name it, so a
 * link means the same for everybody who follows it in the same workspace.
 */
export const workspaceChoice = {
  store: chosen,
  current: () => chosen.get(),
  choose(id: string): void {
    write(ofTab, name, id);
    write(lastUsed, name, id);
    chosen.set(id);
  },
};
