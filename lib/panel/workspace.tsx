import { createContext, use } from 'react';
import type { Me } from './api/session.ts';

export type Workspace = Me['workspaces'][number];

interface Place {
  me: Me;
  workspace: Workspace;
}

const PlaceContext = createContext<Place | undefined>(undefined);
export const PlaceProvider = PlaceContext.Provider;

function usePlace(): Place {
  const place = use(PlaceContext);
  if (place === undefined) throw new Error('Only pages inside of the shell have a workspace');
  return place;
}

/** The workspace that this tab shows, with the person's role in it. */
export const useWorkspace = (): Workspace => usePlace().workspace;

/** Returns the person who is signed in. */
export const useMe = (): Me => usePlace().me;

/** Returns true if the person is an owner of the workspace. The service decides; this only spares people what it would refuse. */
export const useIsOwner = (): boolean => useWorkspace().role === 'owner';

/** Returns the end of an id, which is random: the beginning is the time at which the workspace was created. */
export const shortId = (id: string): string => id.slice(-8);
