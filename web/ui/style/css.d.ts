/** Style sheets that a module imports, for the bundler to gather. */
declare module "*.css";
