export const strings = {
    title: 'Accounts',
    lead: 'The social accounts that posts of this workspace go to.',
};
