from util import double


def main():
    # TODO: read arguments
    print(double(21))


if __name__ == "__main__":
    main()
