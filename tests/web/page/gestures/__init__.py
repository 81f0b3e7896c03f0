"""Every kind of control, and what a person does with it: each gesture is done by a person and by the page script."""
