export const strings = {
    title: 'Developers',
    lead: 'API keys for programs, and endpoints that receive events.',
    tabs: { label: 'Developers', keys: 'Keys', endpoints: 'Endpoints', deliveries: 'Deliveries' },
};
