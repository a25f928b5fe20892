import { createContext, use } from 'react';
const PlaceContext = createContext(undefined);
export const PlaceProvider = PlaceContext.Provider;
function usePlace() {
    const place = use(PlaceContext);
    if (place === undefined)
        throw new Error('Only pages inside of the shell have a workspace');
    return place;
}
/** The workspace that this tab shows, with the person's role in it. */
export const useWorkspace = () => usePlace().workspace;
/** Who is signed in. */
export const useMe = () => usePlace().me;
/** Whether the person is an owner of the workspace. The service decides; this only spares people what it would refuse. */
export const useIsOwner = () => useWorkspace().role === 'owner';
