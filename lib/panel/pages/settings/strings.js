export const strings = {
    title: 'Settings',
    tabs: {
        label: 'Settings',
        members: 'Members',
        sessions: 'Sessions',
        audit: 'Audit log',
        workspace: 'Workspace',
    },
};
