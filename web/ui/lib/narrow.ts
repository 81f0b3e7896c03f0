/** A window this narrow, such as a phone's, shows one panel at a time. */
export const narrow = matchMedia("(max-width: 699px)");
