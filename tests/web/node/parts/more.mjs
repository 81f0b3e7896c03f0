export const extra = 'extra';
export default 'more';
